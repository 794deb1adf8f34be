import { counter } from '../../../core/metrics.ts'
import type { MailSource } from './incoming-queries.ts'

const stored = counter(
  'deskbell_mails_stored_total',
  'Incoming emails that this process has stored, by source; import: existing email of a new mailbox',
  'source',
  ['imap', 'import', 'smtp', 'lmtp'],
)

export const countStored = (source: MailSource) => stored[source]++

const handled = counter(
  'deskbell_mails_handled_total',
  'Stored emails that this process has handled, by result; retried: failed and will be retried',
  'result',
  ['handled', 'retried', 'failed'],
)

export const countHandled = (result: 'handled' | 'retried' | 'failed') => handled[result]++
