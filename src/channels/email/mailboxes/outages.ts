import type { Db, Fragment, Sql } from '../../../core/db/db.ts'
import type { OutageMail, OutageProject, OutageSender } from '../../../operators/operators.ts'
import { type OutageKind, reportOutageOf } from '../../accounts/report-outage.ts'
import { type FaultCode, wordFault } from './fault.ts'
import type { MailboxFault } from './mailbox.ts'
import { mailboxMailTextsOf } from './texts/texts.ts'

/** Mailboxes that receive or send nothing: what the dashboard shows to the team, and the emails to the admins. */

export interface Outage {
  mailbox_id: string
  address: string
  problem: 'receiving' | 'sending'
  failing_since: string
}

/** Problems with sending that often disappear by themselves. */
const passing: FaultCode[] = [
  ...(['unreachable', 'econnrefused', 'eai_again', 'server', 'send_limit', 'throttled'] as const),
  ...(['database', 'storage', 'token_server', 'token_server_unreachable'] as const),
]

/** The problem may be gone if no email is waiting, because sending is then not tried again. */
const hasWaiting = (sql: Sql, projectId: Fragment): Fragment =>
  sql`exists (select from outgoing_queue q where q.project_id = ${projectId} and q.account_id = a.id)`

/** Mailboxes that someone must fix, and those that have failed for 15 minutes. */
export const listOutages = (sql: Sql, projectId: string) => sql<Outage[]>`
  select id as mailbox_id, address, 'receiving' as problem, failing_since from mailboxes
  where project_id = ${projectId} and incoming = 'imap' and failing_since is not null
    and (state = 'broken' or state = 'active' and failing_since <= now() - interval '15 minutes')
  union all
  select id, address, 'sending', coalesce(send_failing_since, now()) from mailboxes a
  where project_id = ${projectId} and sending <> 'none' and state <> 'paused' and send_error is not null
    and (send_error->>'code' <> all(${passing}::text[]) or send_failing_since <= now() - interval '15 minutes' and ${hasWaiting(sql, sql`${projectId}`)})
  order by failing_since, mailbox_id`

interface MailboxReport extends OutageProject {
  id: string
  address: string
  fault: MailboxFault
  failing_since: string
}

const describe =
  (problem: Outage['problem']) =>
  ({ id, address, fault, failing_since, locale }: MailboxReport): OutageMail => {
    const language = mailboxMailTextsOf(locale)
    return {
      id: `mailbox.${problem}.${id}.${Date.parse(failing_since)}`,
      ...{ language, texts: language.texts[problem] },
      values: { address, reason: wordFault(fault) },
      page: `settings/mailboxes/${id}`,
    }
  }

const receivingOutages: OutageKind<MailboxReport> = {
  table: 'mailboxes',
  timeColumn: 'report_at',
  isDue: sql => sql`a.report_at <= now() and a.incoming = 'imap' and a.state in ('active', 'broken')`,
  columns: sql => sql`a.address, a.last_error as fault, a.failing_since`,
  describe: describe('receiving'),
}

const sendingOutages: OutageKind<MailboxReport> = {
  table: 'mailboxes',
  timeColumn: 'send_report_at',
  isDue: sql =>
    sql`a.send_report_at <= now() and a.sending <> 'none' and a.state <> 'paused' and ${hasWaiting(sql, sql`a.project_id`)}`,
  columns: sql => sql`a.address, a.send_error as fault, a.send_failing_since as failing_since`,
  describe: describe('sending'),
}

/** Emails the admins of one project about one mailbox. The email is not sent through the mailbox itself, which may not work. */
export const reportOutage = async (db: Db, sender: OutageSender | null): Promise<number> =>
  (await reportOutageOf(db, sender, receivingOutages)) || (await reportOutageOf(db, sender, sendingOutages))
