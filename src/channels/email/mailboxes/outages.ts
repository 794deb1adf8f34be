import type { Db, Sql } from '../../../core/db.ts'
import type { Mailer, OutgoingMail } from '../../../core/mail.ts'
import { renderMail } from '../../../core/mail-layout.ts'
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

/** Attempts to send after which such a problem is shown: about 10 minutes, because the pauses between them double from 5 s. */
const manyFailures = 7

/** Mailboxes that someone must fix, and those that have failed for 15 minutes or repeatedly. */
export const listOutages = (sql: Sql, projectId: string) => sql<Outage[]>`
  select id as mailbox_id, address, 'receiving' as problem, failing_since from mailboxes
  where project_id = ${projectId} and incoming = 'imap' and failing_since is not null
    and (state = 'broken' or state = 'active' and failing_since <= now() - interval '15 minutes')
  union all
  select id, address, 'sending', (send_error->>'at')::timestamp at time zone 'UTC' from mailboxes
  where project_id = ${projectId} and sending <> 'none' and state <> 'paused' and send_error is not null
    and (send_error->>'code' <> all(${passing as never}::text[]) or send_failures >= ${manyFailures})
  order by failing_since, mailbox_id`

interface DueReport {
  project_id: string
  id: string
  address: string
  last_error: MailboxFault
  failing_since: string
  project: string
  color: string | null
  locale: string | null
}

/** Claims one report. If sending it fails, it is due again 10 minutes later. */
async function claimReport(db: Db): Promise<DueReport | null> {
  const [report] = await db<DueReport[]>`
    with due as (
      select project_id, id from mailboxes
      where project_id is not null and report_at <= now() and incoming = 'imap' and state in ('active', 'broken')
      order by report_at limit 1 for no key update skip locked
    ), claimed as (
      update mailboxes m set report_at = now() + interval '10 minutes'
      from due where m.project_id = due.project_id and m.id = due.id returning m.*
    )
    select c.project_id, c.id, c.address, c.last_error, c.failing_since, p.name as project, p.color, p.default_locale as locale
    from claimed c join projects p on p.id = c.project_id and p.deleting_since is null`
  return report ?? null
}

/** Leaves out mailboxes of this installation, because an email to one of them would become a ticket. */
const listAdminAddresses = (sql: Sql, projectId: string) => sql<{ email: string }[]>`
  select distinct o.email from operators o
  where o.project_id = ${projectId} and o.role in ('admin', 'owner') and o.removed_at is null and o.email is not null
    and not exists (select from mailbox_addresses a where a.project_id is not null and a.address = lower(o.email))
  order by o.email`

/** A mailbox that works again, or was changed since, has no report time and must not get one. */
const updateReported = (sql: Sql, projectId: string, id: string) => sql`
  update mailboxes set report_at = 'infinity'
  where project_id = ${projectId} and id = ${id} and report_at is not null`

interface Sender {
  mailer: Mailer
  publicUrl: string
}

function writeReport(report: DueReport, to: string, publicUrl: string): OutgoingMail {
  const { project_id, id, address, last_error, failing_since, project, color, locale } = report
  const language = mailboxMailTextsOf(locale)
  const values = { address, project, reason: wordFault(last_error) }
  const url = `${publicUrl.replace(/\/$/, '')}/p/${project_id}/settings/mailboxes/${id}`
  return {
    id: `mailbox.${id}.${Date.parse(failing_since)}`,
    to: [to],
    sender: project,
    ...renderMail(language.texts.failing, { language, from: project, color, values, url }),
  }
}

/** Tells the admins of one project about one mailbox. */
export async function reportOutage(db: Db, sender: Sender | null): Promise<number> {
  const report = sender && (await claimReport(db))
  if (!report) return 0
  for (const { email } of await listAdminAddresses(db, report.project_id))
    await sender.mailer.send(writeReport(report, email, sender.publicUrl))
  await updateReported(db, report.project_id, report.id)
  return 1
}
