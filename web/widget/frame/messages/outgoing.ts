import { signal } from '@preact/signals'
import type { Waiting } from '../../protocol.ts'
import { tell } from '../core/bridge.ts'

/** What the visitor has written and the server has not confirmed. Each has a key, so sending it again is harmless. */

export interface Outgoing extends Waiting {
  media: (Waiting['media'][number] & { file?: File })[]
  /** `sent` is there, and stays until the thread shows it. */
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

/** The server has it: whoever comes after this page does not send it again. */
export const confirm = (clientId: string): void => tell({ type: 'drop', client_id: clientId })

export const drop = (clientId: string): void => {
  remove(clientId)
  confirm(clientId)
}

/** Files, and addresses of pictures in this page, die with it. */
export const keep = ({ state, code, media: files, ...rest }: Outgoing): void => {
  const media = files.map(({ id, filename, kind }) => ({ id, filename, kind }))
  tell({ type: 'keep', waiting: { ...rest, media } })
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
  if (known?.state === 'waiting') remove(clientId)
}

export const isNew = (ticketId: string): boolean => ticketId.startsWith('new:')

/** Whether the server has this ticket. */
export const isThere = (ticketId: string): boolean => ticketId !== 'new' && !isNew(ticketId)

/** A ticket that is not there yet is begun by the first message to it; the others wait for that. */
export const isDue = ({ state, ticket_id, client_id }: Outgoing): boolean =>
  state === 'waiting' &&
  (!isNew(ticket_id) || outbox.peek().find(one => one.ticket_id === ticket_id)!.client_id === client_id)

export function readdress(from: string, to: string): void {
  for (const one of outbox.peek().filter(other => other.ticket_id === from)) {
    change(one.client_id, { ticket_id: to })
    keep({ ...one, ticket_id: to })
  }
}

/** For another visitor, who has none of the files that were uploaded. */
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
