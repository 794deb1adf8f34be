import type { Sql } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'

/** A session of a person. */
export interface ListedSession {
  id: string
  user_agent: string | null
  ip_address: string | null
  created_at: string
  last_used_at: string
}

export const listSessions = (sql: Sql, userId: string) => sql<ListedSession[]>`
  select id, user_agent, ip_address, created_at, updated_at as last_used_at from user_sessions
  where user_id = ${userId} and expires_at > now() order by updated_at desc, id`

/** Has no effect if the session has already ended. */
export async function revokeSession(sql: Sql, userId: string, id: string): Promise<void> {
  if (isId(id)) await sql`delete from user_sessions where user_id = ${userId} and id = ${id}`
}

export async function endOtherSessions(sql: Sql, userId: string, ownId: string): Promise<void> {
  await sql`delete from user_sessions where user_id = ${userId} and id <> ${ownId}`
}
