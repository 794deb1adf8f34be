import { allOf, conditionIf, idRange, timeRange } from '../core/db/conditions.ts'
import { anyId, type Fragment, type Sql, unprepared } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'
import type { LoggedRequest, RequestQuery } from './schema.ts'

export type NewRequest = Omit<LoggedRequest, 'key_name' | 'created_at'> & {
  project_id: string
  /** Milliseconds since 1970. */
  at: number
}

/** Inserts all rows by one JSON text, to keep the cost for concurrent requests low. A project that is being deleted gets no more rows. */
export const insertRequests = (sql: Sql, projectId: string, requests: NewRequest[]) => sql`
  insert into api_requests (project_id, id, request_id, key_id, method, path, ignored, status, ms, created_at)
  select ${projectId}, id, request_id, key_id, method, path, array(select json_array_elements_text(ignored)), status, ms, to_timestamp(at / 1000.0)
  from json_to_recordset(${JSON.stringify(requests)}::text::json) as r (id uuid, request_id text,
    key_id uuid, method text, path text, ignored json, status int, ms int, at float8)
  where exists (select from projects p where p.id = ${projectId} and p.deleting_since is null)`

const isStatus = (sql: Sql, word: string): Fragment =>
  word.endsWith('xx')
    ? sql`(r.status >= ${Number(word[0]) * 100} and r.status < ${Number(word[0]) * 100 + 100})`
    : sql`r.status = ${Number(word)}`

const anyOf = (sql: Sql, conditions: Fragment[]): Fragment =>
  conditions.reduce((before, one) => sql`${before} or ${one}`, sql`false`)

/** No request takes longer. Its id is created when it is answered. */
const maxRequestMs = 3_600_000

/** Conditions that the primary key can serve. */
export const keyConditions = (sql: Sql, projectId: string, query: RequestQuery): Fragment[] => [
  sql`r.project_id = ${projectId}`,
  ...idRange(sql, sql`r.id`, [query.created_after, query.created_before], maxRequestMs),
]

const isFailure = (word: string): boolean => Number(word[0]) >= 4

/** Whether an index can find all requested rows, or all rows are requested. */
export const isNarrow = ({ request_id, status, method, key_id, path }: RequestQuery): boolean =>
  request_id !== undefined ||
  status?.every(isFailure) ||
  [status, method, key_id, path].every(filter => filter === undefined)

/** The row at which a page stops searching; null if there are no more. */
export async function findLastScannedRequest(
  sql: Sql,
  where: Fragment,
  reach: number,
): Promise<string | null> {
  const [row] = await unprepared(sql<{ id: string }[]>`
    select r.id from api_requests r where ${where} order by r.id desc offset ${reach - 1} limit 1`)
  return row?.id ?? null
}

export const requestConditions = (sql: Sql, projectId: string, query: RequestQuery): Fragment =>
  allOf(sql, [
    ...keyConditions(sql, projectId, query),
    ...conditionIf(query.request_id, id => sql`r.request_id = ${id}`),
    ...conditionIf(query.method, names => sql`r.method = any(${names}::text[])`),
    ...conditionIf(
      query.status,
      all =>
        sql`(${anyOf(
          sql,
          all.map(word => isStatus(sql, word)),
        )})`,
    ),
    ...conditionIf(query.key_id, id => (isId(id) ? sql`r.key_id = ${id}` : sql`false`)),
    ...conditionIf(query.path, part => sql`strpos(r.path, ${part}) > 0`),
    ...timeRange(sql, sql`r.created_at`, query.created_after, query.created_before),
  ])

export const findRequestIds = (sql: Sql, where: Fragment, ordering: Fragment) =>
  unprepared(sql<{ id: string; sort_value: null }[]>`
    select r.id, null as sort_value from api_requests r where ${where} ${ordering}`)

export const listRequestsByIds = (sql: Sql, projectId: string, ids: string[]) => sql<LoggedRequest[]>`
  select r.id, r.request_id, r.method, r.path, r.ignored, r.status, r.ms, r.key_id, k.name as key_name, r.created_at
  from api_requests r left join api_keys k on k.project_id = r.project_id and k.id = r.key_id
  where r.project_id = ${projectId} and r.id = ${anyId(sql, ids)}`

/** Rows in a block of pages have similar times, so a BRIN index finds the old ones. */
export const listRequestsBefore = (sql: Sql, ageMs: number, limit: number) => sql<
  { project_id: string; id: string }[]
>`
  select project_id, id from api_requests
  where created_at < now() - ${ageMs}::float8 * interval '1 millisecond' limit ${limit}`

export const deleteRequests = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from api_requests where project_id = ${projectId} and id = ${anyId(sql, ids)}`
