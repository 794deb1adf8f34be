import { useMemo, useSyncExternalStore } from 'react'
import { createStore } from '../core/store.ts'

/** Who is online and who has which ticket open, as the stream reports it. */
export interface Presence {
  operators: {
    operator_id: string
    status: string
    status_text: string | null
    status_emoji: string | null
  }[]
  tickets: { ticket_id: string; operator_id: string; is_typing: boolean; is_internal: boolean }[]
  /** Operators whose reply to a ticket waits to be sent. */
  sending: { ticket_id: string; operator_id: string }[]
  /** Visitors who have the ticket open in the chat on a website. */
  visitors: { ticket_id: string; is_watching: boolean; is_typing: boolean }[]
  /** For the open tickets: the time up to which the contact has read them. */
  reads: { ticket_id: string; read_at: string }[]
}

export const nobody: Presence = { operators: [], tickets: [], sending: [], visitors: [], reads: [] }

const presence = createStore<Presence>(nobody)
export const usePresence = presence.use
export const setPresence = presence.set

export type TicketViewer = Omit<Presence['tickets'][number], 'ticket_id'>

const printViewers = (ticketId: string): string =>
  JSON.stringify(presence.get().tickets.filter(({ ticket_id }) => ticket_id === ticketId))

/** Who has this ticket open. The component renders again only when this changes, because a list has many rows. */
export function useTicketViewers(ticketId: string): TicketViewer[] {
  const printed = useSyncExternalStore(presence.subscribe, () => printViewers(ticketId))
  return useMemo(() => JSON.parse(printed), [printed])
}
