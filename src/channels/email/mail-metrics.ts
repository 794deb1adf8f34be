import { counter } from '../../core/metrics.ts'
import type { MailSource } from './incoming-queries.ts'

const stored = counter(
  'deskbell_mails_stored_total',
  'Incoming mails that this process has stored, by where they came from; import: older mail of a new mailbox',
  'source',
  ['imap', 'import', 'smtp', 'lmtp'],
)

export const countStored = (source: MailSource) => stored[source]++

const handled = counter(
  'deskbell_mails_handled_total',
  'Stored mails that this process has handled, by result; retried: failed, and another attempt follows',
  'result',
  ['handled', 'retried', 'failed'],
)

export const countHandled = (result: 'handled' | 'retried' | 'failed') => handled[result]++
