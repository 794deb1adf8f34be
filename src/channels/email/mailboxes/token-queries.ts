import type { Sql } from '../../../core/db/db.ts'

/** The encrypted tokens of a mailbox. */

/** Seconds. A token request takes less time. */
const renewalSeconds = 30

/** Claims the renewal of a mailbox's access token. Returns null while another process renews it. */
export async function lockRenewal(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<{ secrets: Buffer | null } | null> {
  const [row] = await sql<{ secrets: Buffer | null }[]>`
    update mailboxes set renewing_until = now() + ${renewalSeconds}::int * interval '1 second'
    where project_id = ${projectId} and id = ${id} and (renewing_until is null or renewing_until <= now())
    returning secrets`
  return row ?? null
}

export const updateRenewalEnded = (sql: Sql, projectId: string, id: string) => sql`
  update mailboxes set renewing_until = null where project_id = ${projectId} and id = ${id}`

/** Stores secrets that a provider issued, unless someone has entered others since. */
export const updateSecrets = (
  sql: Sql,
  projectId: string,
  id: string,
  { sealed, basis }: { sealed: Buffer; basis: Buffer | null },
) => sql`
  update mailboxes set secrets = ${sealed}
  where project_id = ${projectId} and id = ${id} and secrets is not distinct from ${basis}`
