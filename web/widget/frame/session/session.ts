import { batch, signal } from '@preact/signals'
import type { Identity } from '../../protocol.ts'
import { ask, endVisit, onRefused, token } from '../core/api.ts'
import { isPage, tell } from '../core/bridge.ts'
import { asFailure, Failure, VisitorChanged } from '../core/failure.ts'
import type { Identified, Session, Visitor } from '../core/records.ts'
import { language } from '../core/text.ts'

/** Who the visitor is to the server. There is nobody until something has to be written. */

export const visitor = signal<Visitor | null>(null)
export const pageUrl = signal('')

/** A ticket of this visitor has a contact. */
export function becomeKnown(): void {
  if (visitor.peek()) visitor.value = { ...visitor.peek()!, is_known: true }
}

/** What stays of the words that are not sent: all, those since the page last said who is here, or nothing. */
export type Stay = 'all' | 'later' | 'nothing'

/** Lets in what must not be seen of the visitor before: it is called whenever another one is there. */
type Change = (stay: Stay) => void
const changes = new Set<Change>()
export const onChange = (change: Change): void => void changes.add(change)

/** The latest word on who is here counts, in whatever order the server answers. */
let turn = 0

const surface = isPage ? 'page' : 'widget'
/** As many characters as the server takes. */
const page = () => pageUrl.peek().slice(0, 2_048) || null
const about = () => ({ locale: language.peek().slice(0, 35), page_url: page(), surface })

/** A link's visitor is this tab's alone: what the browser keeps stays whoever's it is. */
function enter(session: Session, stay: Stay = 'all'): void {
  // At once: a stream that the token opened before the visit begins would end with the visit before.
  batch(() => {
    visitor.value = session.visitor
    token.value = session.token
    if (stay !== 'all') beginVisit(stay)
  })
  if (!session.visitor.ticket_id) tell({ type: 'token', token: session.token })
}

function beginVisit(stay: Stay): void {
  turn += 1
  asking = Promise.resolve()
  endVisit()
  for (const change of changes) change(stay)
}

function dismiss(stay: Stay): void {
  token.value = null
  visitor.value = null
  beginVisit(stay)
}

/** Who is here, where somebody has asked: until that is answered nobody new is made. */
let asking: Promise<unknown> = Promise.resolve()

function awaited<T>(answer: Promise<T>): Promise<T> {
  asking = Promise.allSettled([asking, answer])
  return answer
}

let beginning: Promise<void> | null = null

/** Whatever needs a visitor at the same time gets the same one. */
export async function requireVisitor(): Promise<void> {
  const own = turn
  await asking
  if (own !== turn) throw new VisitorChanged()
  if (token.peek()) return
  beginning ??= ask<Session>('POST', '/visitors', { body: about(), as: null })
    .then(session => {
      if (own !== turn) throw new VisitorChanged()
      enter(session)
      for (const begun of begins) begun()
    })
    .finally(() => {
      beginning = null
    })
  return beginning
}
const begins = new Set<() => void>()
export const onBegin = (begun: () => void): void => void begins.add(begun)

/** Null where the token is good for nothing any more. */
export const resume = (kept: string): Promise<void> => awaited(lookUp(kept))

async function lookUp(kept: string): Promise<void> {
  const own = ++turn
  try {
    const known = await ask<Visitor>('GET', '/session', { as: kept })
    if (own !== turn) return
    visitor.value = known
    token.value = kept
  } catch (error) {
    if (own !== turn) return
    if (asFailure(error).status === 401) dismiss('all')
    // Without the server it may still be good: it is tried with the next call.
    else token.value = kept
  }
}

/** Sites hand over whole accounts: the server takes what it knows. */
function pick({ user, signature, token }: Identity) {
  const { id, email, name, phone } = user ?? {}
  return token ? { token } : { user: { id: id && String(id), email, name, phone }, signature }
}

/** Resolves after the first try. Where the server was not there it is tried again, and nobody new is made meanwhile. */
export function identify(identity: Identity, kept: string | null): Promise<unknown> {
  const own = ++turn
  const first = introduce(identity, kept, own)
  const insist = async () => {
    for (let n = 0, pause = await first; pause > 0 && own === turn; n++) {
      await new Promise(resolve => window.setTimeout(resolve, Math.min(pause * 2 ** n, maxRetryDelayMs)))
      if (own === turn) pause = await introduce(identity, kept, own, true)
    }
  }
  awaited(insist())
  return first
}

/** Milliseconds. */
const minRetryDelayMs = 1_000
const maxRetryDelayMs = 60_000

/**
 * A refused one leaves nobody signed in: what stands there may be somebody else's. Answers the milliseconds after which it
 * may go well, or 0.
 */
async function introduce(
  identity: Identity,
  kept: string | null,
  own: number,
  isAgain = false,
): Promise<number> {
  try {
    const body = { ...pick(identity), ...about() }
    const answer = await ask<Identified>('POST', '/identify', { body, as: kept })
    if (own !== turn) return 0
    enter(answer, answer.is_new_visitor && kept !== null ? 'later' : 'all')
    for (const begun of begins) begun()
    tell({ type: 'identified', is_verified: answer.visitor.is_verified })
  } catch (error) {
    if (own !== turn) return 0
    const failure = asFailure(error)
    if (!(failure.isPassing && isAgain)) tell({ type: 'failed', code: failure.code || 'UNREACHABLE' })
    if (failure.isPassing) return failure.retryAfter * 1_000 || minRetryDelayMs
    const before = kept ? await ask<Visitor>('GET', '/session', { as: kept }).catch(() => null) : null
    if (own !== turn) return 0
    if (before && !before.is_identified) await lookUp(kept!)
    else leave('later')
  }
  return 0
}

function leave(stay: Stay): void {
  if (!visitor.peek()?.ticket_id) tell({ type: 'token', token: null })
  dismiss(stay)
}

/** Without a word to other tabs: theirs is refused as well, and a logout is something else. */
onRefused(refused => {
  if (refused && refused === token.peek()) dismiss('all')
})

export function logout(): void {
  const ending = token.peek()
  leave('nothing')
  if (ending) void ask('DELETE', '/session', { as: ending, keepalive: true }).catch(() => {})
}

/** Another tab has signed in or out. */
export async function follow(next: string | null): Promise<void> {
  if (visitor.peek()?.ticket_id || (next && next === token.peek())) return
  // Where nobody was here before, what is being written is of whoever comes.
  if (!next || token.peek()) dismiss('nothing')
  if (!next) return
  await resume(next)
  for (const begun of begins) begun()
}

/** The ticket that a link leads to. Who is signed in and sees it anyway stays who it is. */
export async function openLink(key: string): Promise<string> {
  const session = await ask<Session>('POST', '/open', { body: { key }, as: null })
  const id = session.visitor.ticket_id
  if (!id) throw new Failure(404)
  const seen = token.peek() ? await ask('GET', `/tickets/${id}`).catch(() => null) : null
  if (!seen) enter(session, 'nothing')
  return id
}
