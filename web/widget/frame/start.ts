import { effect } from '@preact/signals'
import type { Boot, ToFrame } from '../protocol.ts'
import { listen, token } from './core/api.ts'
import { type Bridge, nameDocument, openBridge, tell } from './core/bridge.ts'
import { asFailure } from './core/failure.ts'
import { go, replace } from './core/route.ts'
import { isMuted } from './core/sound.ts'
import { loadTexts, text } from './core/text.ts'
import { end, isOpen, watchVisibility } from './follow.ts'
import { drafts, keepDrafts } from './messages/drafts.ts'
import { watchOutbox } from './messages/outbox.ts'
import { setAside, settle, takeUp } from './messages/outgoing.ts'
import { forgetThreads } from './messages/thread.ts'
import { carryUnsent, markEarlier } from './messages/unsent-messages.ts'
import { config, loadConfig } from './session/config.ts'
import { origin } from './session/origin.ts'
import {
  follow,
  identify,
  logout,
  onBegin,
  onChange,
  openLink,
  pageUrl,
  resume,
  type Stay,
  visitor,
} from './session/session.ts'
import { sayFailure } from './shell/failure-words.ts'
import { notice, problem } from './shell/problem.ts'
import { forgetTickets, loadTickets, state, tickets, watchUnread } from './tickets/tickets.ts'

/** Starts the chat, from the first message of the page to the first view. */

/** Clears everything of one visitor before the next. */
function beginAnew(stay: Stay): void {
  end()
  forgetTickets()
  forgetThreads()
  carryUnsent(stay)
  void loadTickets()
}

function introduce(...[identity, kept]: Parameters<typeof identify>): Promise<unknown> {
  markEarlier()
  return identify(identity, kept)
}

function hear(message: ToFrame): void {
  if (message.type === 'shown') {
    pageUrl.value = message.page_url
    isOpen.value = message.is_open
    if (message.proactive_id) origin.value = { proactive_id: message.proactive_id }
    if (message.ticket_id) go({ name: 'conversation', id: message.ticket_id })
  } else if (message.type === 'identify') void introduce(message.identity, token.peek())
  else if (message.type === 'logout') logout()
  else if (message.type === 'token') void follow(message.token)
  else if (message.type === 'sent') settle(message.client_id)
}

/** Runs once. The stored data may belong to somebody else until the page has identified the visitor. */
async function findVisitor({ identity, token: kept, drafts: left }: Boot): Promise<void> {
  if (!identity) drafts.value = left
  if (identity) await introduce(identity, kept)
  else if (kept) await resume(kept)
  // Only once it is known that the visitor is the same.
  if (identity && (!kept || token.peek() === kept)) drafts.value = { ...left, ...drafts.peek() }
}

async function followKey(key: string, waiting: Boot['waiting']): Promise<void> {
  setAside()
  try {
    replace({ name: 'conversation', id: await openLink(key) })
  } catch (error) {
    notice.value = sayFailure(asFailure(error).code) || text.peek().failed
  }
  if (!visitor.peek()?.ticket_id) takeUp(waiting)
}

/** For a reader of the help centre who still needs help. */
function beginAbout(article_id: string): void {
  origin.value = { article_id }
  go({ name: 'conversation', id: 'new' })
}

/** Proactive messages are for visitors who are not talking to us already. */
const offerMessages = (): void =>
  void effect(() => {
    const isTalking = tickets.value.some(({ status }) => status !== 'closed')
    const messages = isTalking || state.value !== 'there' ? [] : (config.value?.proactive_messages ?? [])
    tell({ type: 'proactive', messages })
  })

async function show(bridge: Bridge): Promise<void> {
  problem.value = null
  try {
    await loadConfig()
  } catch (error) {
    const { status } = asFailure(error)
    const isOff = status === 403 || status === 404
    problem.value = isOff ? { words: 'unavailable' } : { words: 'notLoaded', again: () => void show(bridge) }
    return
  }
  const { color, position, texts, name } = config.peek()!
  if (bridge.isPage) nameDocument(texts.title || name)
  const look = { color, position, launcher_text: texts.launcher ?? null }
  tell({ type: 'ready', look })
}

export async function start(): Promise<void> {
  listen()
  const bridge = await openBridge()
  const { boot } = bridge
  document.documentElement.dataset.theme = boot.theme
  pageUrl.value = boot.page_url
  isOpen.value = boot.is_open
  isMuted.value = boot.choices.is_muted ?? false
  await loadTexts(boot.locale)
  takeUp(boot.waiting)
  onChange(beginAnew)
  onBegin(() => void loadTickets())
  await Promise.all([show(bridge), findVisitor(boot)])
  bridge.hear(hear)
  if (boot.key) await followKey(boot.key, boot.waiting)
  await loadTickets()
  if (boot.article_id) beginAbout(boot.article_id)
  watchUnread()
  offerMessages()
  watchVisibility()
  watchOutbox()
  keepDrafts()
}
