import type { DeliveryChange } from '../../../messages/messages.ts'
import { printAnswer } from '../../../tickets/tickets.ts'
import type { RecipientResult, RecipientStatus } from './outgoing-queries.ts'

/** The delivery of a message, from the statuses of its recipients. */

/** What `delivery.error` of an email can be, besides the answer of a server. */
export const deliveryCodes = [
  ...(['no_mailbox', 'no_recipient', 'mailbox_removed', 'deleted', 'too_large'] as const),
  ...(['file_missing', 'not_built'] as const),
  ...(['unreachable', 'no_greeting', 'econnrefused', 'enotfound', 'eai_again', 'server'] as const),
  ...(['outcome_unknown', 'maybe_sent_twice', 'edit_not_propagated'] as const),
]

export type DeliveryCode = (typeof deliveryCodes)[number]

/** Marks of recipients to whom the email was sent, with an answer that was lost. They are also the error of the message. */
export type Mark = Extract<DeliveryCode, 'outcome_unknown' | 'maybe_sent_twice'>

const marks: string[] = ['outcome_unknown', 'maybe_sent_twice'] satisfies Mark[]

type Delivery = Pick<DeliveryChange, 'status' | 'error'>

const isEdited = (error: string | null): boolean => error === ('edit_not_propagated' satisfies DeliveryCode)

/** A confirmed delivery ends the uncertainty of `outcome_unknown`. */
function keptError(error: string | null, isConfirmed: boolean): string | null {
  if (error === null || ![...marks, 'edit_not_propagated'].includes(error)) return null
  return isConfirmed && error === 'outcome_unknown' ? null : error
}

/** `error`: that of the delivery before. */
export function deliveryOf(recipients: RecipientResult[], error: string | null): Delivery {
  const listOf = (...statuses: RecipientStatus[]) => recipients.filter(one => statuses.includes(one.status))
  const answerIn = (list: RecipientResult[]) => list.map(printAnswer).find(answer => answer !== null) ?? null
  const pending = listOf('pending')
  if (pending.length > 0) return { status: 'pending', error: isEdited(error) ? error : answerIn(pending) }
  const failed = listOf('failed')
  if (failed.length === recipients.length) return { status: 'failed', error: answerIn(failed) }
  const mark = marks.find(code => listOf('sent').some(one => one.code === code))
  if (mark) return { status: 'sent', error: mark }
  if (failed.length > 0) return { status: 'sent', error: answerIn(failed) }
  const isDelivered = listOf('delivered', 'read').length === recipients.length
  const status = listOf('read').length > 0 ? 'read' : isDelivered ? 'delivered' : 'sent'
  return { status, error: keptError(error, status !== 'sent') }
}
