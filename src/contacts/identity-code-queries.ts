import type { Sql } from '../core/db/db.ts'
import type { Tx } from '../events/transaction.ts'
import type { Identity } from './identity-queries.ts'

/** How long a code is valid. */
const codeTime = '1 hour'

export interface SentCodeRow {
  code_hash: Buffer
  is_expired: boolean
  wrong_tries: number
  /** The codes that were sent in the last 24 hours or less. */
  count: number
  seconds_to_next: number
  seconds_to_reset: number
}

export async function findIdentityCode(
  sql: Sql,
  projectId: string,
  { type, value }: Identity,
): Promise<SentCodeRow | null> {
  const [row] = await sql<SentCodeRow[]>`
    select code_hash, wrong_tries, sent_at < now() - ${codeTime}::text::interval as is_expired,
      case when counted_since > now() - interval '24 hours' then sent_count else 0 end as count,
      ceil(extract(epoch from sent_at + interval '1 minute' - now()))::int as seconds_to_next,
      ceil(extract(epoch from counted_since + interval '24 hours' - now()))::int as seconds_to_reset
    from identity_codes where project_id = ${projectId} and type = ${type} and value = ${value}`
  return row ?? null
}

/** The identity must be locked. */
export async function insertIdentityCode(tx: Tx, { type, value }: Identity, hash: Buffer) {
  const { projectId } = tx
  await tx`
    delete from identity_codes where project_id = ${projectId} and type = ${type} and value = ${value}
      and counted_since <= now() - interval '24 hours'`
  const [row] = await tx<{ sent_at: string; expires_at: string }[]>`
    insert into identity_codes as c (project_id, type, value, code_hash, sent_at, counted_since)
    values (${projectId}, ${type}, ${value}, ${hash}, now(), now())
    on conflict (project_id, type, value) do update set code_hash = excluded.code_hash, sent_at = excluded.sent_at,
      sent_count = c.sent_count + 1, wrong_tries = 0
    returning sent_at, sent_at + ${codeTime}::text::interval as expires_at`
  return row!
}

export const updateWrongTries = (tx: Tx, { type, value }: Identity) => tx`
  update identity_codes set wrong_tries = wrong_tries + 1
  where project_id = ${tx.projectId} and type = ${type} and value = ${value}`

/** Each code works once. */
export const deleteIdentityCode = (tx: Tx, { type, value }: Identity) => tx`
  delete from identity_codes where project_id = ${tx.projectId} and type = ${type} and value = ${value}`

interface MailSender {
  name: string
  color: string | null
  locale: string
}

export async function findMailSender(sql: Sql, projectId: string): Promise<MailSender> {
  const [row] = await sql<MailSender[]>`
    select name, color, default_locale as locale from projects where id = ${projectId}`
  return row!
}
