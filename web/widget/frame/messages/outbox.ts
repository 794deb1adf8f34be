import { effect, signal } from '@preact/signals'
import type { Waiting } from '../../protocol.ts'
import { ask, isReached, token } from '../core/api.ts'
import { tell } from '../core/bridge.ts'
import { asFailure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import type { Message, Ticket } from '../core/records.ts'
import { rename } from '../core/route.ts'
import { pageUrl, requireVisitor } from '../session/session.ts'
import { loadTicket, loadTickets, putTicket } from '../tickets/tickets.ts'
import { loadThread, putMessage } from './thread.ts'
import { moveDraft } from './written.ts'

/** What the visitor has written and the server has not confirmed. Each has a key, so sending it again is harmless. */

export interface Outgoing extends Waiting {
  /** `sent` is there, and stays until the thread shows it. */
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  code?: string
}

export const outbox = signal<Outgoing[]>([])

const change = (clientId: string, next: Partial<Outgoing>): void => {
  outbox.value = outbox.peek().map(one => (one.client_id === clientId ? { ...one, ...next } : one))
}

/** What waited for it goes on without it. */
export function discard(clientId: string): void {
  outbox.value = outbox.peek().filter(one => one.client_id !== clientId)
  tell({ type: 'drop', client_id: clientId })
  void run()
}

/** Addresses of pictures in this page die with it. */
const keep = ({ state, code, media: files, ...rest }: Outgoing): void => {
  const media = files.map(({ id, filename, kind }) => ({ id, filename, kind }))
  tell({ type: 'keep', waiting: { ...rest, media } })
}

export const isNew = (ticketId: string): boolean => ticketId.startsWith('new:')

/** Whether the server has this ticket. */
export const isThere = (ticketId: string): boolean => ticketId !== 'new' && !isNew(ticketId)

type Written = Pick<Waiting, 'content' | 'media' | 'reply_to_id' | 'fields'>

/** Into a ticket, or with null into a new one; answers where it stands meanwhile. */
export function post(ticketId: string | null, written: Written): string {
  const client_id = newId()
  const ticket_id = ticketId ?? `new:${client_id}`
  const outgoing: Outgoing = {
    ...written,
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

/** Left from before the page was loaded; sent when it is known who is here. */
export function takeUp(left: Waiting[]): void {
  outbox.value = left.map(one => ({ ...one, state: 'waiting' }))
}

/** Kept by the browser for whoever wrote it. */
export function setAside(): void {
  outbox.value = []
}

/** Another tab was quicker. */
export function settle(clientId: string): void {
  const known = outbox.peek().find(one => one.client_id === clientId)
  if (known?.state === 'waiting') outbox.value = outbox.peek().filter(one => one.client_id !== clientId)
}

export function forgetOutbox(): void {
  for (const { client_id } of outbox.peek()) tell({ type: 'drop', client_id })
  outbox.value = []
  running = null
}

/** A ticket that is not there yet is begun by the first message to it; the others wait for that. */
const isDue = ({ state, ticket_id, client_id }: Outgoing): boolean =>
  state === 'waiting' &&
  (!isNew(ticket_id) || outbox.peek().find(one => one.ticket_id === ticket_id)!.client_id === client_id)

const pauses = [1_000, 2_000, 5_000, 10_000, 20_000]
let attempt = 0
let timer: number | undefined
/** The round of sending that is under way; what comes of an older one is of no interest any more. */
let running: object | null = null

/** One after the other, in the order in which they were written. */
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

/** Throws what may go well later. */
async function deliver(outgoing: Outgoing): Promise<void> {
  try {
    await requireVisitor()
    if (isNew(outgoing.ticket_id)) await begin(outgoing)
    else await reply(outgoing)
    tell({ type: 'drop', client_id: outgoing.client_id })
  } catch (error) {
    const failure = asFailure(error)
    change(
      outgoing.client_id,
      failure.isPassing ? { state: 'waiting' } : { state: 'failed', code: failure.code },
    )
    if (failure.isPassing) throw failure
  }
}

const media = ({ media: files }: Outgoing) => ({ media_ids: files.map(({ id }) => id) })

async function begin(outgoing: Outgoing): Promise<void> {
  const { client_id, ticket_id, content, fields } = outgoing
  const body = {
    content,
    ...media(outgoing),
    fields,
    client_id,
    page_url: pageUrl.peek().slice(0, 2_048) || null,
  }
  const ticket = await ask<Ticket>('POST', '/tickets', { body, key: client_id })
  putTicket(ticket)
  change(client_id, { state: 'sent', ticket_id: ticket.id })
  readdress(ticket_id, ticket.id)
  // At once: what is written from now on is for the ticket that there is.
  show(ticket_id, ticket.id)
  await loadThread(ticket.id)
  outbox.value = outbox.peek().filter(one => one.client_id !== client_id)
}

async function reply(outgoing: Outgoing): Promise<void> {
  const { client_id, ticket_id, content, reply_to_id } = outgoing
  const body = { content, ...media(outgoing), reply_to_id, client_id }
  const message = await ask<Message>('POST', `/tickets/${ticket_id}/messages`, { body, key: client_id })
  putMessage(message)
  outbox.value = outbox.peek().filter(one => one.client_id !== client_id)
  if (message.ticket_id === ticket_id) return void loadTicket(ticket_id).catch(() => {})
  await moveOn(ticket_id, message.ticket_id)
}

/** What was closed long ago goes on in a new ticket. */
async function moveOn(from: string, to: string): Promise<void> {
  readdress(from, to)
  await Promise.all([loadThread(to), loadTickets()])
  show(from, to)
}

function readdress(from: string, to: string): void {
  for (const one of outbox.peek().filter(other => other.ticket_id === from)) {
    change(one.client_id, { ticket_id: to })
    keep({ ...one, ticket_id: to })
  }
}

function show(from: string, to: string): void {
  moveDraft(from, to)
  rename(from, to)
}

/** When the server is reached again, and when somebody has signed in, there is no pause to wait for. */
export const watchOutbox = (): void =>
  void effect(() => {
    if (isReached.value || token.value) queueMicrotask(run)
  })
