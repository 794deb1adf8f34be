import type { Fragment, Sql } from '../core/db/db.ts'
import { foldEmail, listSpellings } from '../core/email.ts'
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

/** The stored spelling of the account with this address; null if there is none. Of two accounts, the one with the exact spelling. */
export function storedEmail(sql: Sql, email: string): Fragment {
  const spellings = sql`${listSpellings(email)}::text[]`
  return sql`(select email from users where email = any(${spellings})
    order by array_position(${spellings}, email) limit 1)`
}

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | null> {
  const [row] = await sql<
    UserRow[]
  >`select ${columns(sql)} from users where email = ${storedEmail(sql, email)}`
  return row ?? null
}

/** False if somebody already has this address. */
export async function insertUser(
  sql: Sql,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<boolean> {
  const { count } = await sql`
    insert into users (id, name, email)
    select ${id}, ${name}, ${foldEmail(email)} where ${storedEmail(sql, email)} is null on conflict do nothing`
  return count > 0
}

/** Sets the password of a user who may never have had one. */
export const updatePassword = (sql: Sql, userId: string, hash: string) => sql`
  insert into user_logins (id, user_id, provider_id, account_id, password)
  values (${newId()}, ${userId}, 'credential', ${userId}, ${hash})
  on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`

/** False if the settings would become too large. */
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

/** Removes connections to the provider, which a previous holder of the account may have made. */
export const deleteOtherLogins = (sql: Sql, userId: string) => sql`
  delete from user_logins where user_id = ${userId} and provider_id <> 'credential'`

/** If nobody has proved the address of the account, removes its credentials, sessions and second factor. */
export async function deleteUnprovenLogins(sql: Sql, userId: string): Promise<void> {
  const [unproven] = await sql`select from users where id = ${userId} and not email_verified`
  if (!unproven) return
  await sql`delete from user_logins where user_id = ${userId}`
  await deleteSessions(sql, userId)
  await deleteSecondFactor(sql, userId)
}

/** Stores the groups of a provider's account, and returns the user to whom it belongs. */
export async function updateGroups(
  sql: Sql,
  accountId: string,
  groups: string[] | null,
): Promise<string | null> {
  const [row] = await sql<{ user_id: string }[]>`
    update user_logins set groups = ${groups}::text[]
    where provider_id = 'oidc' and account_id = ${accountId} returning user_id`
  return row?.user_id ?? null
}

/** The groups of a user; null if they are unknown. */
export async function findGroups(sql: Sql, userId: string): Promise<string[] | null> {
  const [row] = await sql<{ groups: string[] | null }[]>`
    select groups from user_logins where user_id = ${userId} and provider_id = 'oidc' and groups is not null`
  return row?.groups ?? null
}

export const deleteSessions = (sql: Sql, userId: string) => sql`
  delete from user_sessions where user_id = ${userId}`

export interface OpenSession {
  token: string
  id: string
  /** Whether the session should be extended. */
  is_due: boolean
  user_id: string
  name: string
  email: string
  two_factor_enabled: boolean
  /** The provider at which it began, if any. */
  provider: string | null
}

/** Of these sessions, the ones that are valid. A session is extended `days` before it ends. */
export const listOpenSessions = (sql: Sql, tokens: string[], days: number) => sql<OpenSession[]>`
  select s.token, s.id, s.expires_at < now() + ${days}::int * interval '1 day' as is_due,
    s.provider, u.id as user_id, u.name, u.email, u.two_factor_enabled
  from user_sessions s join users u on u.id = s.user_id
  where s.token = any(${tokens}::text[]) and s.expires_at > now()`

/** Deletes sessions that began with a password, a passkey or a link. */
export const deleteOwnSessions = (sql: Sql) => sql`delete from user_sessions where provider is null`

export const updateEmailVerified = (sql: Sql, userId: string) => sql`
  update users set email_verified = true where id = ${userId}`

export async function hasPassword(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`select from user_logins where user_id = ${userId} and password is not null`
  return rows.length > 0
}

/** Whether the user has an authenticator app or a passkey. */
export async function hasSecondFactorOrPasskey(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    select from users where id = ${userId}
      and (two_factor_enabled or exists (select from passkeys where user_id = ${userId}))`
  return rows.length > 0
}

export async function deleteSecondFactor(sql: Sql, userId: string): Promise<void> {
  await sql`delete from passkeys where user_id = ${userId}`
  await sql`delete from two_factors where user_id = ${userId}`
  await sql`update users set two_factor_enabled = false where id = ${userId}`
}
