import { batch, signal } from '@preact/signals'
import type { Identity } from '../../protocol.ts'
import { ask, endVisit, onRefused, token } from '../core/api.ts'
import { isPage, tell } from '../core/bridge.ts'
import { asFailure, Failure, VisitorChanged } from '../core/failure.ts'
import type { Identified, Session, Visitor } from '../core/records.ts'
import { language } from '../core/text.ts'

/** The visitor on the server. It is created only when something has to be written. */

export const visitor = signal<Visitor | null>(null)
export const pageUrl = signal('')

/** Called when a ticket of this visitor has got a contact. */
export function becomeKnown(): void {
  if (visitor.peek()) visitor.value = { ...visitor.peek()!, is_known: true }
}

/**
 * Which unsent texts survive a change of visitor: all, those started since the last identification, or none.
 */
export type Stay = 'all' | 'later' | 'nothing'

/** Called whenever the visitor changes, to clear what the new one must not see. */
type Change = (stay: Stay) => void
const changes = new Set<Change>()
export const onChange = (change: Change): void => void changes.add(change)

/** The newest identification wins, in whatever order the server answers. */
let turn = 0

const surface = isPage ? 'page' : 'widget'
/** The server's limits on the length. */
const page = () => pageUrl.peek().slice(0, 2_048) || null
const about = () => ({ locale: language.peek().slice(0, 35), page_url: page(), surface })

/** The visitor of a link applies to this tab only, and does not replace the stored token. */
function enter(session: Session, stay: Stay = 'all'): void {
  // In one batch: otherwise, a stream that the new token opens would end together with the old visit.
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

/** Pending identifications. No new visitor is created until they have finished. */
let asking: Promise<unknown> = Promise.resolve()

function awaited<T>(answer: Promise<T>): Promise<T> {
  asking = Promise.allSettled([asking, answer])
  return answer
}

let beginning: Promise<void> | null = null

/** Creates a visitor if there is none. Concurrent callers share it. */
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

/** Restores the visitor of a stored token, unless the server rejects it. */
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
    // If the server cannot be reached, the token may still be valid and is tried with the next call.
    else token.value = kept
  }
}

/** Sites may pass whole account objects, but the server accepts only these fields. */
function pick({ user, signature, token }: Identity) {
  const { id, email, name, phone } = user ?? {}
  return token ? { token } : { user: { id: id && String(id), email, name, phone }, signature }
}

/**
 * Resolves after the first attempt. If the server cannot be reached, it retries, and creates no new visitor
 * until it succeeds.
 */
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

const minRetryDelayMs = 1_000
const maxRetryDelayMs = 60_000

/**
 * A rejected identity leaves nobody signed in, because the shown data may belong to somebody else. Returns
 * the delay in milliseconds after which a retry may succeed, or 0.
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

/** Other tabs are not notified: their token is rejected too, and this is not a logout. */
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
  // If there was no visitor before, the unsent text belongs to the new one.
  if (!next || token.peek()) dismiss('nothing')
  if (!next) return
  await resume(next)
  for (const begun of begins) begun()
}

/** Opens the ticket of a link. A visitor who can already see it stays signed in. */
export async function openLink(key: string): Promise<string> {
  const session = await ask<Session>('POST', '/open', { body: { key }, as: null })
  const id = session.visitor.ticket_id
  if (!id) throw new Failure(404)
  const seen = token.peek() ? await ask('GET', `/tickets/${id}`).catch(() => null) : null
  if (!seen) enter(session, 'nothing')
  return id
}
