import type { Sql } from '../core/db/db.ts'
import type { PushKeys } from './encrypt-push.ts'
import type { NewDevice } from './schema.ts'

/** The browsers of people. They belong to accounts and not to projects. */

interface DeviceRow {
  id: string
  session_id: string
  user_agent: string | null
  created_at: string
  sent_at: string | null
}

export const listDevices = (sql: Sql, userId: string) => sql<DeviceRow[]>`
  select d.id, d.session_id, s.user_agent, d.created_at, d.sent_at
  from push_devices d join user_sessions s on s.id = d.session_id and s.expires_at > now()
  where d.user_id = ${userId} order by d.created_at, d.id`

/** A browser is in one session, and a session is in one browser: earlier registrations are replaced. */
export async function insertDevice(
  sql: Sql,
  { userId, sessionId }: { userId: string; sessionId: string },
  { endpoint, p256dh, auth }: NewDevice,
): Promise<void> {
  // Two sessions may register the same browser at once. Neither would see the other's row, and the second insert would fail.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`push ${endpoint}`}, 0))`
  await sql`delete from push_devices where endpoint = ${endpoint} and session_id <> ${sessionId}`
  await sql`
    insert into push_devices (user_id, session_id, endpoint, p256dh, auth)
    values (${userId}, ${sessionId}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (session_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth`
}

export const deleteDevice = (sql: Sql, userId: string, id: string) => sql`
  delete from push_devices where id::text = ${id} and user_id = ${userId}`

export interface PushTarget extends PushKeys {
  device_id: string
  endpoint: string
}

export async function findPushTarget(sql: Sql, userId: string, id: string): Promise<PushTarget | null> {
  const [row] = await sql<PushTarget[]>`
    select id as device_id, endpoint, p256dh, auth from push_devices where id::text = ${id} and user_id = ${userId}`
  return row ?? null
}

/** Deletes a registration that its push service does not know any more, unless the browser has replaced it since. */
export const deleteTarget = (sql: Sql, { device_id, endpoint }: PushTarget) => sql`
  delete from push_devices where id = ${device_id} and endpoint = ${endpoint}`

export const updateSent = (sql: Sql, deviceIds: string[]) => sql`
  update push_devices set sent_at = now() where id = any(${deviceIds}::uuid[])`
