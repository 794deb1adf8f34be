import { usePresence } from '../presence/presence.ts'
import type { Message } from './queries.ts'

const isPublic = ({ sender_type, is_internal, delivery }: Message): boolean =>
  (sender_type === 'operator' || sender_type === 'bot') && !is_internal && delivery.status !== 'scheduled'

/** The last of the team's messages that the visitor has read in the chat. */
export function useSeen(messages: Message[], ticketId: string): string | null {
  const { reads } = usePresence()
  const read = reads.find(one => one.ticket_id === ticketId)
  if (!read) return null
  const until = Date.parse(read.read_at)
  return messages.findLast(one => isPublic(one) && Date.parse(one.created_at) <= until)?.id ?? null
}
