import type { Db, Sql } from '../core/db.ts'

export interface KeyRow {
  id: string
  name: string
  prefix: string
  is_active: boolean
  created_at: string
}

export interface OpenedRow {
  key_id: string
  project_id: string
  project_name: string
}

export interface Answers {
  maintenance: boolean
  /** By hash; keys that open nothing are absent. */
  opened: Map<string, OpenedRow>
}

/** One look-up for all requests that wait: the maintenance switch, and the projects that these keys open now. */
export async function openKeys(db: Db, hashes: string[]): Promise<Answers> {
  const rows = await db<({ maintenance: boolean; hash: string | null } & OpenedRow)[]>`
    select i.maintenance, k.hash, k.key_id, k.project_id, k.project_name
    from installation i left join (
      select k.hash, k.id as key_id, k.project_id, p.name as project_name
      from api_keys k join projects p on p.id = k.project_id
      where k.hash = any(${hashes as never}::text[]) and k.disabled_at is null and p.suspended_at is null
    ) k on true`
  const opened = new Map<string, OpenedRow>()
  for (const row of rows) if (row.hash) opened.set(row.hash, row)
  return { maintenance: rows[0]?.maintenance ?? false, opened }
}

export interface Standing {
  isMaintenance: boolean
  revoked: ReadonlySet<string>
}

/** Of keys that were let in before, those that open nothing any more. */
export async function checkKeys(sql: Sql, keys: { id: string; projectId: string }[]): Promise<Standing> {
  const rows = await sql<{ maintenance: boolean; key_id: string | null }[]>`
    select i.maintenance, gone.id as key_id
    from installation i left join (
      select asked.id
      from unnest(${keys.map(({ projectId }) => projectId) as never}::uuid[],
          ${keys.map(({ id }) => id) as never}::uuid[]) as asked (project_id, id)
        left join api_keys k on k.project_id = asked.project_id and k.id = asked.id and k.disabled_at is null
        left join projects p on p.id = k.project_id and p.suspended_at is null
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

export const listKeyRows = (sql: Sql, projectId: string) => sql<KeyRow[]>`
  select id, name, prefix, disabled_at is null as is_active, created_at
  from api_keys where project_id = ${projectId} order by created_at, id`

/** Keys are managed by the installation's own command line, which knows them by id alone. */
export const updateKeyDisabled = (sql: Sql, id: string) => sql`
  update api_keys set disabled_at = coalesce(disabled_at, now()) where id = ${id}`

export const deleteKeyRow = (sql: Sql, id: string) => sql`delete from api_keys where id = ${id}`
