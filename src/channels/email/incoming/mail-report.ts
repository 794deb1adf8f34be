import type { Tx } from '../../../events/transaction.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { ClaimedMail, MailResult } from './incoming-queries.ts'
import type { Judged } from './judge-mail.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Reports about sent emails: bounces, delays, deliveries, read receipts and spam complaints. */

export const reportClasses = ['bounce', 'delay', 'delivered', 'receipt', 'complaint'] as const

export interface ReceivedReport {
  claimed: ClaimedMail
  mail: Mail
  facts: ProjectFacts
  judged: Pick<Judged, 'class' | 'evidence'>
  key: Buffer
}

/** Handles a report in the transaction that records its outcome. */
export type OnReport = (tx: Tx, report: ReceivedReport) => Promise<MailResult>
