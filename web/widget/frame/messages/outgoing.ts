import { signal } from '@preact/signals'
import type { Waiting } from '../../protocol.ts'
import { tell } from '../core/bridge.ts'

/**
 * A message that the visitor has written and the server has not confirmed. It has a key, so that sending it
 * again is harmless.
 */

export interface Outgoing extends Waiting {
  media: (Waiting['media'][number] & { file?: File })[]
  /** `sent` means that the server has it; it stays until the thread shows it. */
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  code?: string
}

export const outbox = signal<Outgoing[]>([])

export const change = (clientId: string, next: Partial<Outgoing>): void => {
  outbox.value = outbox.peek().map(one => (one.client_id === clientId ? { ...one, ...next } : one))
}

export const remove = (clientId: string): void => {
  outbox.value = outbox.peek().filter(one => one.client_id !== clientId)
}

/** The server has it, so the page deletes its copy and will not send it again. */
export const confirm = (clientId: string): void => tell({ type: 'drop', client_id: clientId })

export const drop = (clientId: string): void => {
  remove(clientId)
  confirm(clientId)
}

/** Files and object URLs of images cannot outlive this page. */
export const keep = ({ state, code, media: files, ...rest }: Outgoing): void => {
  const media = files.map(({ id, filename, kind }) => ({ id, filename, kind }))
  tell({ type: 'keep', waiting: { ...rest, media } })
}

/** Restores messages from before a reload. They are sent once the visitor is known. */
export function takeUp(left: Waiting[]): void {
  outbox.value = left.map(one => ({ ...one, state: 'waiting' }))
}

/** Clears the list; the browser keeps the messages for the visitor who wrote them. */
export function setAside(): void {
  outbox.value = []
}

/** Another tab has sent it. */
export function settle(clientId: string): void {
  const known = outbox.peek().find(one => one.client_id === clientId)
  if (known?.state === 'waiting') remove(clientId)
}

export const isNew = (ticketId: string): boolean => ticketId.startsWith('new:')

/** Whether the ticket exists on the server. */
export const isThere = (ticketId: string): boolean => ticketId !== 'new' && !isNew(ticketId)

/** The first message creates a new ticket; the others wait for it. */
export const isDue = ({ state, ticket_id, client_id }: Outgoing): boolean =>
  state === 'waiting' &&
  (!isNew(ticket_id) || outbox.peek().find(one => one.ticket_id === ticket_id)!.client_id === client_id)

export function readdress(from: string, to: string): void {
  for (const one of outbox.peek().filter(other => other.ticket_id === from)) {
    change(one.client_id, { ticket_id: to })
    keep({ ...one, ticket_id: to })
  }
}

/** Keeps messages for a new visitor, who cannot use the files that the previous one uploaded. */
export function carryOutbox(isStaying: (clientId: string) => boolean): void {
  for (const { client_id, state } of outbox.peek())
    if (state === 'sent' || !isStaying(client_id)) drop(client_id)
  outbox.value = outbox.peek().map(one => ({
    ...one,
    state: one.state === 'sending' ? 'waiting' : one.state,
    media: one.media.map(file => ({ ...file, id: '' })),
  }))
  for (const one of outbox.peek()) keep(one)
}
