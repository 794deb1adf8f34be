import { readFieldsOf } from './bounce.ts'
import type { Mail } from './mail.ts'
import { addressIn } from './report-fields.ts'

/** Reads what happened to an email after its delivery: read receipts (RFC 8098) and spam complaints (RFC 5965). */

export interface ReadReceipt {
  /** Null if the receipt does not name the recipient. */
  recipient: string | null
  /** Null if the receipt says neither. */
  status: 'read' | 'delivered' | null
}

const isReceipt = (contentType: string): boolean => contentType === 'message/disposition-notification'
const isComplaint = (contentType: string): boolean => contentType === 'message/feedback-report'

const statuses: Record<string, ReadReceipt['status']> = {
  displayed: 'read',
  deleted: 'delivered',
  dispatched: 'delivered',
  processed: 'delivered',
}

export function readReceipt(mail: Mail): ReadReceipt {
  const of = (name: string) => readFieldsOf(mail, isReceipt, name)[0]
  const [type = ''] = (of('disposition')?.split(';')[1] ?? '')
    .trim()
    .toLowerCase()
    .split(/[\s/,]/)
  return {
    recipient: addressIn(of('original-recipient')) ?? addressIn(of('final-recipient')),
    status: statuses[type] ?? null,
  }
}

/** The recipient who complained, null if the complaint does not name it; undefined if the report is not a complaint. */
export function readComplaint(mail: Mail): string | null | undefined {
  const of = (name: string) => readFieldsOf(mail, isComplaint, name)[0]
  if (of('feedback-type')?.toLowerCase() === 'not-spam') return undefined
  return addressIn(of('original-rcpt-to'))
}
