import type { Db, Sql } from '../core/db/db.ts'

export interface KeyRow {
  id: string
  name: string
  prefix: string
  is_active: boolean
  last_used_at: string | null
  created_at: string
}

export interface ActiveKeyRow {
  key_id: string
  project_id: string
  project_name: string
}

export interface ActiveKeys {
  maintenance: boolean
  /** By hash, without invalid keys. */
  found: Map<string, ActiveKeyRow>
}

/** A look-up for all waiting requests: the maintenance switch, and the projects of these keys. */
export async function listActiveKeys(db: Db, hashes: string[]): Promise<ActiveKeys> {
  const rows = await db<({ maintenance: boolean; hash: string | null } & ActiveKeyRow)[]>`
    select i.maintenance, k.hash, k.key_id, k.project_id, k.project_name
    from installation i left join (
      select k.hash, k.id as key_id, k.project_id, p.name as project_name
      from api_keys k join projects p on p.id = k.project_id
      where k.hash = any(${hashes}::text[]) and k.disabled_at is null and p.suspended_at is null
    ) k on true`
  const found = new Map<string, ActiveKeyRow>()
  for (const row of rows) if (row.hash) found.set(row.hash, row)
  return { maintenance: rows[0]?.maintenance ?? false, found }
}

export interface KeyStatus {
  isMaintenance: boolean
  revoked: ReadonlySet<string>
}

/** Of these previously valid keys of a project, the ones that are no longer valid. */
export async function listRevokedKeys(
  sql: Sql,
  projectId: string,
  keys: { id: string }[],
): Promise<KeyStatus> {
  const rows = await sql<{ maintenance: boolean; key_id: string | null }[]>`
    select i.maintenance, gone.id as key_id
    from installation i left join (
      select asked.id
      from unnest(${keys.map(({ id }) => id)}::uuid[]) as asked (id)
        left join api_keys k on k.project_id = ${projectId} and k.id = asked.id and k.disabled_at is null
        left join projects p on p.id = ${projectId} and k.id is not null and p.suspended_at is null
      where p.id is null
    ) gone on true`
  return {
    isMaintenance: rows[0]?.maintenance ?? false,
    revoked: new Set(rows.flatMap(({ key_id }) => key_id ?? [])),
  }
}

export const insertKey = (
  sql: Sql,
  projectId: string,
  key: { id: string; name: string; prefix: string; hash: string },
) => sql`
  insert into api_keys (project_id, id, name, prefix, hash)
  values (${projectId}, ${key.id}, ${key.name}, ${key.prefix}, ${key.hash})`

const columns = (sql: Sql) =>
  sql`id, name, prefix, disabled_at is null as is_active, last_used_at, created_at`

export const listKeyRows = (sql: Sql, projectId: string) => sql<KeyRow[]>`
  select ${columns(sql)} from api_keys where project_id = ${projectId} order by created_at, id`

export async function findKeyRow(sql: Sql, projectId: string, id: string): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    select ${columns(sql)} from api_keys where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function lockKeyRow(sql: Sql, projectId: string, id: string): Promise<KeyRow | null> {
  await sql`select from api_keys where project_id = ${projectId} and id = ${id} for update`
  return findKeyRow(sql, projectId, id)
}

export const updateKey = (
  sql: Sql,
  projectId: string,
  id: string,
  { name, is_active }: { name?: string; is_active?: boolean },
) => sql`
  update api_keys set name = coalesce(${name ?? null}, name),
    disabled_at = ${is_active === undefined ? sql`disabled_at` : is_active ? sql`null` : sql`now()`}
  where project_id = ${projectId} and id = ${id}`

export const deleteOwnKey = (sql: Sql, projectId: string, id: string) => sql`
  delete from api_keys where project_id = ${projectId} and id = ${id}`

/** The condition avoids repeated updates by several processes. */
export const updateKeyLastUsed = (sql: Sql, projectId: string, id: string) => sql`
  update api_keys set last_used_at = now()
  where project_id = ${projectId} and id = ${id}
    and (last_used_at is null or last_used_at < now() - interval '1 minute')`

/** For the command line, which knows keys only by their id. */
export const updateKeyDisabled = (sql: Sql, id: string) => sql<OwnedKey[]>`
  update api_keys set disabled_at = least(disabled_at, now()) where id = ${id}
  returning project_id, id, name, prefix`

export const deleteKeyRow = (sql: Sql, id: string) => sql<OwnedKey[]>`
  delete from api_keys where id = ${id} returning project_id, id, name, prefix`

export interface OwnedKey extends Pick<KeyRow, 'id' | 'name' | 'prefix'> {
  project_id: string
}
