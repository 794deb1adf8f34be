import type { Db, Fragment, Sql } from '../../../core/db/db.ts'
import type { Mailer, OutgoingMail } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'
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
  sql`exists (select from outgoing_queue q where q.project_id = ${projectId} and q.account_id = m.id)`

/** Mailboxes that someone must fix, and those that have failed for 15 minutes. */
export const listOutages = (sql: Sql, projectId: string) => sql<Outage[]>`
  select id as mailbox_id, address, 'receiving' as problem, failing_since from mailboxes
  where project_id = ${projectId} and incoming = 'imap' and failing_since is not null
    and (state = 'broken' or state = 'active' and failing_since <= now() - interval '15 minutes')
  union all
  select id, address, 'sending', coalesce(send_failing_since, now()) from mailboxes m
  where project_id = ${projectId} and sending <> 'none' and state <> 'paused' and send_error is not null
    and (send_error->>'code' <> all(${passing}::text[]) or send_failing_since <= now() - interval '15 minutes' and ${hasWaiting(sql, sql`${projectId}`)})
  order by failing_since, mailbox_id`

interface DueReport extends Omit<Outage, 'mailbox_id'> {
  project_id: string
  id: string
  fault: MailboxFault
  project: string
  color: string | null
  locale: string | null
}

/** Claims one report about receiving. If the report cannot be sent, it is due again 10 minutes later. */
const claimReceiving = (db: Db) => db<DueReport[]>`
  with due as (
    select project_id, id from mailboxes
    where project_id is not null and report_at <= now() and incoming = 'imap' and state in ('active', 'broken')
    order by report_at limit 1 for no key update skip locked
  ), claimed as (
    update mailboxes m set report_at = now() + interval '10 minutes'
    from due where m.project_id = due.project_id and m.id = due.id returning m.*
  )
  select c.project_id, c.id, c.address, 'receiving' as problem, c.last_error as fault, c.failing_since, p.name as project,
    p.color, p.default_locale as locale
  from claimed c join projects p on p.id = c.project_id and p.deleting_since is null`

/** Claims one report about sending, in the same way. */
const claimSending = (db: Db) => db<DueReport[]>`
  with due as (
    select project_id, id from mailboxes m
    where project_id is not null and send_report_at <= now() and sending <> 'none' and state <> 'paused'
      and ${hasWaiting(db, db`m.project_id`)}
    order by send_report_at limit 1 for no key update skip locked
  ), claimed as (
    update mailboxes m set send_report_at = now() + interval '10 minutes'
    from due where m.project_id = due.project_id and m.id = due.id returning m.*
  )
  select c.project_id, c.id, c.address, 'sending' as problem, c.send_error as fault, c.send_failing_since as failing_since,
    p.name as project, p.color, p.default_locale as locale
  from claimed c join projects p on p.id = c.project_id and p.deleting_since is null`

async function claimReport(db: Db): Promise<DueReport | null> {
  const [receiving] = await claimReceiving(db)
  if (receiving) return receiving
  const [sending] = await claimSending(db)
  return sending ?? null
}

/** Leaves out mailboxes of this installation, because an email to one of them would become a ticket. */
const listAdminAddresses = (sql: Sql, projectId: string) => sql<{ email: string }[]>`
  select distinct o.email from operators o
  where o.project_id = ${projectId} and o.role in ('admin', 'owner') and o.removed_at is null and o.email is not null
    and not exists (select from mailbox_addresses a where a.project_id is not null and a.address = lower(o.email))
  order by o.email`

/** A mailbox that works again, or was changed since, has no report time and must not get one. */
const updateReported = (sql: Sql, { project_id, id, problem }: DueReport) => sql`
  update mailboxes set
    report_at = case when ${problem} = 'receiving' and report_at is not null then 'infinity' else report_at end,
    send_report_at = case when ${problem} = 'sending' and send_report_at is not null then 'infinity' else send_report_at end
  where project_id = ${project_id} and id = ${id}`

interface Sender {
  mailer: Mailer
  publicUrl: string
}

function writeReport(report: DueReport, to: string, publicUrl: string): OutgoingMail {
  const { project_id, id, address, problem, fault, failing_since, project, color, locale } = report
  const language = mailboxMailTextsOf(locale)
  const values = { address, project, reason: wordFault(fault) }
  const url = `${publicUrl.replace(/\/$/, '')}/p/${project_id}/settings/mailboxes/${id}`
  return {
    id: `mailbox.${problem}.${id}.${Date.parse(failing_since)}`,
    to: [to],
    sender: project,
    ...renderMail(language.texts[problem], { language, from: project, color, values, url }),
  }
}

/** Emails the admins of one project about one mailbox. The email is sent through SMTP_URL, because the mailbox itself may not work. */
export async function reportOutage(db: Db, sender: Sender | null): Promise<number> {
  const report = sender && (await claimReport(db))
  if (!report) return 0
  for (const { email } of await listAdminAddresses(db, report.project_id))
    await sender.mailer.send(writeReport(report, email, sender.publicUrl))
  await updateReported(db, report)
  return 1
}
