import { counter, histogram } from '../../../core/telemetry/metrics.ts'
import type { MailSource } from './incoming-queries.ts'
import { type MailOutcome, mailOutcomes } from './outcomes.ts'

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

const outcomes = counter(
  'deskbell_mail_outcomes_total',
  'Stored emails that this process has handled, by outcome, as in the mail log',
  'outcome',
  mailOutcomes,
)

export const countOutcome = (outcome: MailOutcome) => outcomes[outcome]++

export const noteParsed = histogram(
  'deskbell_mail_parse_seconds',
  'Time to parse an email in a worker, including the wait for one',
  [0.01, 0.05, 0.1, 0.5, 1, 5, 20, 60],
)
