import { effect } from '@preact/signals'
import type { Waiting } from '../../protocol.ts'
import { ask, isReached, token } from '../core/api.ts'
import { asFailure, Failure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import type { Message, Ticket } from '../core/records.ts'
import { rename } from '../core/route.ts'
import { takeOrigin } from '../session/origin.ts'
import { becomeKnown, pageUrl, requireVisitor } from '../session/session.ts'
import { loadTicket, loadTickets, putTicket } from '../tickets/tickets.ts'
import { moveDraft } from './drafts.ts'
import { put } from './files.ts'
import {
  change,
  confirm,
  drop,
  isDue,
  isNew,
  isThere,
  keep,
  type Outgoing,
  outbox,
  readdress,
  remove,
} from './outgoing.ts'
import { loadThread, putMessage } from './thread.ts'

/** Sends what the visitor has written. */

/** Messages that waited for it continue without it. */
export function discard(clientId: string): void {
  drop(clientId)
  void run()
}

type Written = Pick<Waiting, 'content' | 'media' | 'reply_to_id' | 'fields'>

/**
 * Posts to a ticket, or with null to a new one. Returns the id of the conversation until there is a ticket.
 */
export function post(ticketId: string | null, written: Written): string {
  const client_id = newId()
  const ticket_id = ticketId ?? `new:${client_id}`
  const outgoing: Outgoing = {
    ...written,
    ...(ticketId === null && takeOrigin()),
    client_id,
    ticket_id,
    created_at: new Date().toISOString(),
    state: 'waiting',
  }
  outbox.value = [...outbox.peek(), outgoing]
  keep(outgoing)
  void run()
  return ticket_id
}

export function retry(clientId: string): void {
  change(clientId, { state: 'waiting', code: undefined })
  void run()
}

const pauses = [1_000, 2_000, 5_000, 10_000, 20_000]
let attempt = 0
let timer: number | undefined
/** The current run. Results of an older one are ignored. */
let running: object | null = null

/** Sends messages one after another, in the order in which they were written. */
export async function run(): Promise<void> {
  window.clearTimeout(timer)
  if (running) return
  const own = {}
  running = own
  try {
    for (let next = outbox.peek().find(isDue); next && running === own; next = outbox.peek().find(isDue)) {
      change(next.client_id, { state: 'sending' })
      await deliver(next)
      attempt = 0
    }
  } catch (error) {
    if (running !== own) return
    const pause = asFailure(error).retryAfter * 1_000 || pauses[Math.min(attempt, pauses.length - 1)]!
    attempt += 1
    timer = window.setTimeout(run, pause)
  } finally {
    if (running === own) running = null
  }
}

/** Called when the visitor changes. */
export function restart(): void {
  running = null
  void run()
}

/** Throws if the call may succeed later. */
async function deliver(next: Outgoing): Promise<void> {
  const { client_id } = next
  try {
    await requireVisitor()
    const outgoing = { ...next, media: await Promise.all(next.media.map(uploadAgain)) }
    if (isNew(outgoing.ticket_id)) await begin(outgoing)
    else await reply(outgoing)
  } catch (error) {
    const failure = asFailure(error)
    // The ticket was merged into another, or belongs to another visitor now.
    if (failure.code === 'TICKET_NOT_FOUND' && isThere(next.ticket_id)) return beginAnew(next)
    change(client_id, failure.isPassing ? { state: 'waiting' } : { state: 'failed', code: failure.code })
    if (failure.isPassing) throw failure
  }
}

function beginAnew({ client_id, ticket_id }: Outgoing): void {
  change(client_id, { state: 'waiting' })
  moveTo(ticket_id, `new:${client_id}`)
}

/** Uploads a file again if another visitor had uploaded it. */
async function uploadAgain(one: Outgoing['media'][number]): Promise<Outgoing['media'][number]> {
  if (one.id) return one
  if (!one.file) throw new Failure(410, 'FILE_GONE')
  return { ...one, id: (await put(newId(), one.file)).id }
}

const media = ({ media: files }: Outgoing) => ({ media_ids: files.map(({ id }) => id) })

async function begin(outgoing: Outgoing): Promise<void> {
  const { client_id, ticket_id, content, fields, article_id, proactive_id } = outgoing
  const body = {
    content,
    ...media(outgoing),
    fields,
    client_id,
    page_url: pageUrl.peek().slice(0, 2_048) || null,
    article_id,
    proactive_id,
  }
  const ticket = await ask<Ticket>('POST', '/tickets', { body, isWritten: true })
  confirm(client_id)
  becomeKnown()
  putTicket(ticket)
  change(client_id, { state: 'sent', ticket_id: ticket.id })
  // At once, because what is written from now on belongs to the new ticket.
  moveTo(ticket_id, ticket.id)
  await loadThread(ticket.id)
  remove(client_id)
}

async function reply(outgoing: Outgoing): Promise<void> {
  const { client_id, ticket_id, content, reply_to_id } = outgoing
  const body = { content, ...media(outgoing), reply_to_id, client_id }
  const message = await ask<Message>('POST', `/tickets/${ticket_id}/messages`, { body, isWritten: true })
  confirm(client_id)
  putMessage(message)
  remove(client_id)
  if (message.ticket_id === ticket_id) return void loadTicket(ticket_id).catch(() => {})
  await moveOn(ticket_id, message.ticket_id)
}

/** The server continues an old closed ticket in a new one. */
async function moveOn(from: string, to: string): Promise<void> {
  await Promise.all([loadThread(to), loadTickets()])
  moveTo(from, to)
}

function moveTo(from: string, to: string): void {
  readdress(from, to)
  moveDraft(from, to)
  rename(from, to)
}

/**
 * Runs at once when the server can be reached again and when the visitor changes, without waiting for the
 * retry delay.
 */
export const watchOutbox = (): void =>
  void effect(() => {
    if (isReached.value || token.value) queueMicrotask(run)
  })
