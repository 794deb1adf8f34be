import { text } from '../core/text.ts'
import { dateOf, day } from '../core/time.ts'
import type { Message } from './queries.ts'

const dayMs = 86_400_000

export function dayOf(time: string, now = Date.now()): string {
  const then = dateOf(time).toDateString()
  if (then === new Date(now).toDateString()) return text.messages.today
  if (then === new Date(now - dayMs).toDateString()) return text.messages.yesterday
  return day(time)
}

const closeBy = 5 * 60_000

/** Whether a message directly follows one of the same sender, so that the name is not repeated. */
export const isFollowing = (before: Message | undefined, message: Message): boolean =>
  before !== undefined &&
  message.sender_type !== 'system' &&
  before.sender_type === message.sender_type &&
  before.sender_id === message.sender_id &&
  before.contact_identity === message.contact_identity &&
  before.is_internal === message.is_internal &&
  dateOf(message.created_at).getTime() - dateOf(before.created_at).getTime() < closeBy
