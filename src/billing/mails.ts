import type { Db, Sql } from '../core/db/db.ts'
import type { Mailer, OutgoingMail } from '../core/mail/mail.ts'
import type { Tx } from '../events/transaction.ts'
import { type Hundredths, showMoney } from './money.ts'
import type { BillingMailKind } from './texts/shape.ts'
import { type BillingMail, writeMail } from './write-mail.ts'

/** The queue of billing mails. The transaction of the change adds one mail for each recipient. */

type Data = Record<string, string | null | undefined>

/** Queues a mail to each owner. If mail is not configured, it is deleted after a week. */
export const queueMail = (tx: Tx, kind: BillingMailKind, data: Data) => tx`
  insert into billing_mails (project_id, operator_id, kind, data)
  select project_id, id, ${kind}, ${data}::jsonb from operators
  where project_id = ${tx.projectId} and role = 'owner' and removed_at is null`

/** Queues a mail to the host of the installation, whose address is BILLING_MAIL_TO. */
export const queueHostMail = (tx: Tx, kind: BillingMailKind, data: Data) => tx`
  insert into billing_mails (project_id, kind, data) values (${tx.projectId}, ${kind}, ${data}::jsonb)`

interface Queued extends BillingMail {
  id: string
  /** The owner's address; null for the host, and for a person who is no longer an owner. */
  email: string | null
  is_to_host: boolean
}

/** Claims one mail with a lease. The pause doubles after each attempt, up to 6 hours. */
async function claim(db: Db): Promise<Queued | null> {
  const [queued] = await db<Queued[]>`
    with due as (
      select project_id, id from billing_mails where due_at <= now() and project_id is not null
      order by due_at limit 1 for update skip locked
    ), claimed as (
      update billing_mails m set tries = m.tries + 1,
        due_at = now() + least(interval '1 minute' * 2 ^ least(m.tries, 10), interval '6 hours')
      from due where m.project_id = due.project_id and m.id = due.id returning m.*
    )
    select c.project_id, c.id, c.kind, c.data, c.operator_id is null as is_to_host, o.email, p.name as project, p.color,
      case when c.operator_id is not null then p.default_locale end as locale
    from claimed c join projects p on p.id = c.project_id
    left join operators o on o.project_id = c.project_id and o.id = c.operator_id
      and o.role = 'owner' and o.removed_at is null`
  return queued ?? null
}

interface Uncovered {
  plan: string
  price: Hundredths
  balance: Hundredths
  shortfall: Hundredths
  currency: string
  expires_at: string
  hours: number
}

/** Reads the content of a warning when it is sent; null if the warning no longer applies, for example after a top-up. */
async function readRenewal(sql: Sql, projectId: string): Promise<BillingMail['data'] | null> {
  const [row] = await sql<Uncovered[]>`
    select p.name as plan, u.price, u.balance, u.shortfall, u.currency, u.expires_at,
      (extract(epoch from u.expires_at - now()) / 3600)::float8 as hours
    from uncovered_renewals u join plans p on p.code = u.plan where u.project_id = ${projectId}`
  if (!row) return null
  const { plan, currency, expires_at, hours } = row
  const [price, balance, shortfall] = [row.price, row.balance, row.shortfall].map(sum =>
    showMoney(sum, currency),
  )
  return { plan, price, balance, shortfall, hours, expires_at }
}

interface Sender {
  mailer: Mailer
  publicUrl: string
  billingMailTo: string | null
}

async function compose(
  db: Db,
  queued: Queued,
  { publicUrl, billingMailTo }: Sender,
): Promise<OutgoingMail | null> {
  const to = queued.is_to_host ? billingMailTo : queued.email
  const data = queued.kind === 'renewal' ? await readRenewal(db, queued.project_id) : queued.data
  if (!to || !data) return null
  return { id: `billing.${queued.id}`, to: [to], ...writeMail({ ...queued, data }, publicUrl) }
}

/** Sends one mail. A mail that fails is retried later. A mail that no longer applies is deleted. */
export async function sendBillingMail(db: Db, sender: Sender | null): Promise<number> {
  const queued = sender && (await claim(db))
  if (!queued) return 0
  const mail = await compose(db, queued, sender)
  if (mail) await sender.mailer.send(mail)
  await db`delete from billing_mails where project_id = ${queued.project_id} and id = ${queued.id}`
  return 1
}

/** Deletes mails that could not be sent for a week. */
export async function deleteOldMails(db: Db): Promise<number> {
  const { count } = await db`
    delete from billing_mails where created_at < now() - interval '7 days' and project_id is not null`
  return count
}
