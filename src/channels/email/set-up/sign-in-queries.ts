import type { Sql } from '../../../core/db/db.ts'

/** Sign-ins that have not returned from the provider yet. */

export interface SignInKey {
  project_id: string
  state_hash: Buffer
  session_id: string
}

/** Minutes. */
const lifetime = 10

export const insertSignIn = (sql: Sql, key: SignInKey, sealed: Buffer) => sql`
  insert into mailbox_sign_ins (project_id, state_hash, session_id, sealed, expires_at)
  values (${key.project_id}, ${key.state_hash}, ${key.session_id}, ${sealed}, now() + ${lifetime}::int * interval '1 minute')`

/** Deletes a sign-in of the session that has not expired, and returns its encrypted content. */
export async function deleteSignIn(sql: Sql, key: SignInKey): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    delete from mailbox_sign_ins
    where project_id = ${key.project_id} and state_hash = ${key.state_hash} and session_id = ${key.session_id}
      and expires_at > now()
    returning sealed`
  return row?.sealed ?? null
}

/** They contain a client secret, so they are deleted even if nobody signs in again. */
export async function deleteExpiredSignIns(sql: Sql): Promise<number> {
  const { count } =
    await sql`delete from mailbox_sign_ins where project_id is not null and expires_at <= now()`
  return count
}
