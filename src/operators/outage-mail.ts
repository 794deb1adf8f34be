import type { Db, Sql } from '../core/db/db.ts'
import type { Mailer, OutgoingMail } from '../core/mail/mail.ts'
import { type MailTexts, renderMail } from '../core/mail/mail-layout.ts'
import type { LocalTexts } from '../core/text/texts.ts'

/** Emails to the admins of a project about a channel that is not working. */

export interface OutageSender {
  mailer: Mailer
  publicUrl: string
}

/** The project whose channel is not working. */
export interface OutageProject {
  project_id: string
  project: string
  color: string | null
  locale: string | null
}

export interface OutageMail {
  /** The same in every attempt. */
  id: string
  language: LocalTexts<unknown>
  texts: MailTexts
  values: Record<string, string>
  /** The page of the dashboard where the problem can be fixed, relative to the project's. */
  page: string
}

/** Leaves out mailboxes of this installation, because an email to one of them would become a ticket. */
const listAdminAddresses = (sql: Sql, projectId: string) => sql<{ email: string }[]>`
  select distinct o.email from operators o
  where o.project_id = ${projectId} and o.role in ('admin', 'owner') and o.removed_at is null and o.email is not null
    and not exists (select from mailbox_addresses a where a.project_id is not null and a.address = lower(o.email))
  order by o.email`

/** Sends the emails through SMTP_URL. Throws at the first one that cannot be sent. */
export async function mailOutage(
  db: Db,
  { mailer, publicUrl }: OutageSender,
  { project_id, project, color }: OutageProject,
  { id, language, texts, values, page }: OutageMail,
): Promise<void> {
  const url = `${publicUrl.replace(/\/$/, '')}/p/${project_id}/${page}`
  const options = { language, from: project, color, values: { project, ...values }, url }
  const mail: Omit<OutgoingMail, 'to'> = { id, sender: project, ...renderMail(texts, options) }
  for (const { email } of await listAdminAddresses(db, project_id))
    await mailer.send({ ...mail, to: [email] })
}
