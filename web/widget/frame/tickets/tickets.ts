import { computed, effect, signal } from '@preact/signals'
import { ask, send, token } from '../core/api.ts'
import { tell } from '../core/bridge.ts'
import { asFailure, VisitorChanged } from '../core/failure.ts'
import type { Ticket, TicketList } from '../core/records.ts'
import { fill, text } from '../core/text.ts'

/** The conversations of the visitor, newest first. */

export const tickets = signal<Ticket[]>([])
export const state = signal<'new' | 'loading' | 'there' | 'failed'>('new')

const latest = (ticket: Ticket): string => ticket.last_message?.created_at ?? ticket.created_at
const byTime = (a: Ticket, b: Ticket): number => (latest(a) < latest(b) ? 1 : -1)

/** Tickets that arrived while the list was loading, whose response may be older. */
let arrived = new Map<string, Ticket>()

/** If two requests overlap, the later one wins. */
export async function loadTickets(): Promise<void> {
  const as = token.peek()
  const newer = new Map<string, Ticket>()
  arrived = newer
  if (!as) {
    tickets.value = []
    state.value = 'there'
    return
  }
  if (state.peek() !== 'there') state.value = 'loading'
  try {
    const list = await ask<TicketList>('GET', '/tickets')
    if (token.peek() !== as || arrived !== newer) return
    const known = new Map(list.items.map(one => [one.id, one]))
    tickets.value = [...new Map([...known, ...newer]).values()].toSorted(byTime)
    state.value = 'there'
  } catch {
    if (token.peek() === as && arrived === newer && state.peek() !== 'there') state.value = 'failed'
  }
}

export const findTicket = (id: string): Ticket | null => tickets.value.find(one => one.id === id) ?? null

export function putTicket(ticket: Ticket): void {
  arrived.set(ticket.id, ticket)
  tickets.value = [ticket, ...tickets.peek().filter(({ id }) => id !== ticket.id)].toSorted(byTime)
}

export async function loadTicket(id: string): Promise<void> {
  putTicket(await ask<Ticket>('GET', `/tickets/${id}`))
}

export function forgetTickets(): void {
  tickets.value = []
  unsaid.clear()
  state.value = 'new'
}

export const unread = computed(() => tickets.value.reduce((sum, one) => sum + one.unread_count, 0))

/** Reports the unread count for the launcher and the title of the hosted page. */
export const watchUnread = (): void =>
  void effect(() =>
    tell({ type: 'unread', count: unread.value, label: fill(text.value.unread, { count: unread.value }) }),
  )

/** Conversations read here that the server does not know of yet. */
const unsaid = new Set<string>()

/** Shown at once. The server is notified now, or with the next presence report of this tab. */
export function markRead(id: string): void {
  const ticket = findTicket(id)
  if (!ticket?.unread_count) return
  putTicket({ ...ticket, unread_count: 0 })
  unsaid.add(id)
  void sayRead()
}

export async function sayRead(): Promise<void> {
  for (const id of [...unsaid]) {
    unsaid.delete(id)
    await send('PUT', `/tickets/${id}/read`).catch(error => {
      if (asFailure(error).isPassing && !(error instanceof VisitorChanged)) unsaid.add(id)
    })
  }
}

export async function rate(id: string, rating: number, comment: string | null): Promise<void> {
  const body = { rating, comment }
  putTicket(await ask<Ticket>('POST', `/tickets/${id}/rating`, { body, isWritten: true }))
}
