import type { Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'

export interface UserRow {
  id: string
  name: string
  email: string
  image: string | null
  email_verified: boolean
  two_factor_enabled: boolean
  settings: Record<string, unknown>
}

const columns = (sql: Sql) => sql`id, name, email, image, email_verified, two_factor_enabled, settings`

export async function findUser(sql: Sql, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`select ${columns(sql)} from users where id = ${id}`
  return row ?? null
}

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`select ${columns(sql)} from users where email = ${email.toLowerCase()}`
  return row ?? null
}

/** False when somebody has this address already. */
export async function insertUser(
  sql: Sql,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<boolean> {
  const { count } = await sql`
    insert into users (id, name, email) values (${id}, ${name}, ${email.toLowerCase()}) on conflict do nothing`
  return count > 0
}

/** Sets the password of a user who may never have had one. */
export const upsertPassword = (sql: Sql, userId: string, hash: string) => sql`
  insert into user_logins (id, user_id, provider_id, account_id, password)
  values (${newId()}, ${userId}, 'credential', ${userId}, ${hash})
  on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`

/** False when the settings would grow beyond what is kept of them. */
export async function updateUser(
  sql: Sql,
  id: string,
  { name, settings }: { name?: string; settings?: Record<string, unknown> },
): Promise<boolean> {
  const merged = sql`settings || coalesce(${settings ? JSON.stringify(settings) : null}::text::jsonb, '{}')`
  const { count } = await sql`
    update users set name = coalesce(${name ?? null}::text, name), updated_at = now(), settings = ${merged}
    where id = ${id} and octet_length((${merged})::text) <= 32768`
  return count > 0
}

/** Whoever had the account before may have left a passkey, or an account elsewhere. */
export async function deleteOtherLogins(sql: Sql, userId: string): Promise<void> {
  await sql`delete from passkeys where user_id = ${userId}`
  await sql`delete from user_logins where user_id = ${userId} and provider_id <> 'credential'`
}

export const deleteSessions = (sql: Sql, userId: string) => sql`
  delete from user_sessions where user_id = ${userId}`

export interface OpenSession {
  token: string
  id: string
  /** Whether it is time to make it longer. */
  is_due: boolean
  user_id: string
  name: string
  email: string
  two_factor_enabled: boolean
}

/** Those of these tokens that still open something; `days` before its end a session is made longer. */
export const listOpenSessions = (sql: Sql, tokens: string[], days: number) => sql<OpenSession[]>`
  select s.token, s.id, s.expires_at < now() + ${days}::int * interval '1 day' as is_due,
    u.id as user_id, u.name, u.email, u.two_factor_enabled
  from user_sessions s join users u on u.id = s.user_id
  where s.token = any(${tokens as never}::text[]) and s.expires_at > now()`

export const verifyEmail = (sql: Sql, userId: string) => sql`
  update users set email_verified = true where id = ${userId}`

export async function hasPassword(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`select from user_logins where user_id = ${userId} and password is not null`
  return rows.length > 0
}

export async function forgetSecondFactor(sql: Sql, userId: string): Promise<void> {
  await sql`delete from two_factors where user_id = ${userId}`
  await sql`update users set two_factor_enabled = false where id = ${userId}`
}
