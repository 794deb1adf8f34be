import { computed, effect, signal } from '@preact/signals'
import { send, token } from './core/api.ts'
import { tell } from './core/bridge.ts'
import { asFailure } from './core/failure.ts'
import type { Message } from './core/records.ts'
import { goHome, place, shownTicket } from './core/route.ts'
import { playSound } from './core/sound.ts'
import { fill, text } from './core/text.ts'
import { isConnected, openStream, type StreamFrame, serverNow, stop, tab, wake } from './live/stream.ts'
import { forgetTyping, showTyper } from './live/typing.ts'
import { run } from './messages/outbox.ts'
import { isThere } from './messages/outgoing.ts'
import { drawn, loadThread, putMessage, threads } from './messages/thread.ts'
import { visitor } from './session/session.ts'
import { announce } from './shell/announce.tsx'
import { findTicket, loadTicket, loadTickets, markRead, putTicket, sayRead } from './tickets/tickets.ts'

/** Keeps the shown data in sync with the server. */

export const isOpen = signal(false)
const isInFront = signal(document.visibilityState === 'visible')

/** The conversation that the visitor is looking at: none while the panel is closed or the tab is hidden. */
export const watched = computed(() => (isOpen.value && isInFront.value ? drawn.value : null))

/** Messages already reported to the page, so that each is reported once. */
const reportedIds = new Set<string>()

function hearMessage(message: Message): void {
  putMessage(message)
  if (message.sender_type === 'contact' || reportedIds.has(message.id) || message.edited_at) return
  const isFresh = serverNow() - Date.parse(message.created_at) < 60_000
  if (reportedIds.add(message.id) && !isFresh) return
  showTyper(message.ticket_id, null)
  const name = message.sender_name ?? text.peek().team
  announce(fill(text.peek().saidBy, { name, text: message.preview }))
  void playSound()
  const { ticket_id, preview, sender_name } = message
  tell({ type: 'message', message: { ticket_id, content: preview, sender_name } })
}

/** Refetches everything that events would have kept up to date. */
export async function catchUp(): Promise<void> {
  const open = shownTicket()
  for (const id of Object.keys(threads.peek()))
    if (id !== open)
      threads.value = Object.fromEntries(Object.entries(threads.peek()).filter(([key]) => key !== id))
  await Promise.all([loadTickets(), open && isThere(open) && loadThread(open)])
  if (open && isThere(open) && !findTicket(open)) await loadTicket(open).catch(leaveGone(open))
}

/** Leaves a conversation that no longer exists because it was merged. */
const leaveGone = (id: string) => (error: unknown) => {
  if (asFailure(error).status === 404 && shownTicket() === id) goHome()
}

/** Sent at each change, and repeated at each heartbeat if it failed. */
async function showSight(): Promise<void> {
  void sayRead()
  const ticket_id = shownTicket()
  const is_watching = isOpen.peek() && isInFront.peek()
  const body = { tab, is_watching, ticket_id: ticket_id && isThere(ticket_id) ? ticket_id : null }
  await send('POST', '/presence', { body }).catch(error => {
    if (asFailure(error).code === 'TAB_NOT_OPEN') wake()
  })
}

function hear({ event, data }: StreamFrame): void {
  if (event === 'message') hearMessage(JSON.parse(data))
  else if (event === 'ticket') putTicket(JSON.parse(data))
  else if (event === 'typing') {
    const { ticket_id, name, is_typing } = JSON.parse(data)
    showTyper(ticket_id, is_typing ? (name ?? text.peek().team) : null)
  } else if (event === 'ready') {
    // There may be no visitor yet if the server could not be reached at first.
    if (!visitor.peek()) void catchUp()
    void run()
  } else if (event === 'gap') void catchUp()
  else if (event === 'beat') void showSight()
}

const begin = (): void => void openStream(hear, visitor.peek()?.last_seq)

export function end(): void {
  stop(true)
  forgetTyping()
  reportedIds.clear()
}

/** Browsers allow a site only six connections, so a hidden tab with a closed chat gives its own up. */
const hiddenTimeoutMs = 60_000
let timer: number | undefined
let listener: string | null = null

export function watchVisibility(): void {
  document.addEventListener('visibilitychange', () => {
    isInFront.value = document.visibilityState === 'visible'
  })
  window.addEventListener('online', wake)
  effect(() => {
    const isNeeded = isInFront.value || isOpen.value
    window.clearTimeout(timer)
    if (token.value !== listener) end()
    listener = token.value
    if (!listener) return
    if (isNeeded) begin()
    else timer = window.setTimeout(() => stop(false), hiddenTimeoutMs)
  })
  effect(() => {
    const sight = [isOpen.value, isInFront.value, place.value]
    // A visitor who is looking does not wait for the retry delay of a lost connection.
    if (!isConnected.value) wake()
    else if (sight) void showSight()
  })
  effect(() => {
    const id = watched.value
    if (id && token.value && isThere(id)) markRead(id)
  })
}
