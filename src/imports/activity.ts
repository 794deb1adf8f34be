import { toDatabase } from '../core/time.ts'
import { isAutomatic } from '../messages/messages.ts'
import type { ActivityRow } from './ticket-queries.ts'

/** Computes the activity of a ticket from its imported messages, as if they had been posted: see messages/write.ts. */

/** The fields of a message that affect the activity. */
export interface CountedMessage {
  id: string
  sender_type: 'contact' | 'operator' | 'bot' | 'system'
  is_internal: boolean
  email: Parameters<typeof isAutomatic>[0]['email']
  system: Record<string, unknown> | null
  created_at: string
  preview: string
}

const first = (times: string[]): string | null => times.toSorted()[0] ?? null
const last = (times: string[]): string | null => times.toSorted().at(-1) ?? null

/** The times are in the format of the database. */
export function countActivity(ticketId: string, messages: CountedMessage[]): ActivityRow {
  const timesOf = (is: (message: CountedMessage) => boolean) =>
    messages.filter(is).map(one => toDatabase(one.created_at))
  const isReply = (one: CountedMessage) => one.sender_type === 'operator' && !one.is_internal
  const isShown = (one: CountedMessage) => one.sender_type !== 'system' && !isAutomatic(one)
  const place = (one: CountedMessage) => `${one.created_at} ${one.id}`
  const newest = messages
    .filter(isShown)
    .reduce<CountedMessage | null>(
      (before, one) => (before && place(before) > place(one) ? before : one),
      null,
    )
  return {
    ticket_id: ticketId,
    updated_at: last(messages.map(one => toDatabase(one.created_at))) ?? '-infinity',
    messages_count: messages.length,
    last_message_id: newest?.id ?? null,
    last_message_at: newest && toDatabase(newest.created_at),
    last_message_sender_type: newest?.sender_type ?? null,
    last_message_preview: newest?.preview ?? null,
    first_reply_at: first(timesOf(isReply)),
    last_operator_message_at: last(timesOf(isReply)),
    first_bot_reply_at: first(
      timesOf(one => one.sender_type === 'bot' && !one.is_internal && !isAutomatic(one)),
    ),
    last_contact_message_at: last(timesOf(one => one.sender_type === 'contact')),
    waiting_since: null,
    imported_until: newest && toDatabase(newest.created_at),
    is_merged: false,
  }
}
