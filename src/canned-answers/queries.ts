import type { Fragment, Sql } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'
import {
  type CannedAnswer,
  type CannedAnswerChange,
  excerptLength,
  type ListedCannedAnswer,
} from './schema.ts'

const known = (sql: Sql): Fragment =>
  sql`
  id, case when owner_id is null then 'shared' else 'personal' end as scope, owner_id, department_id, shortcut, title,
  version, created_at, updated_at`

const columns = (sql: Sql): Fragment => sql`${known(sql)}, content`

/**
 * The person for whom answers are selected: their own, shared ones of all departments they belong to, and shared ones without a
 * department. Admins see all shared ones.
 */
export interface AnswerReader {
  project_id: string
  operator_id: string
  is_admin: boolean
}

const isSeen = (sql: Sql, { project_id, operator_id, is_admin }: AnswerReader): Fragment =>
  sql`project_id = ${project_id} and (owner_id = ${operator_id} or owner_id is null and (
    ${is_admin} or department_id is null or department_id in (
      select department_id from department_operators where project_id = ${project_id} and operator_id = ${operator_id})))`

const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A search text as typed, and as a `tsquery`. */
export interface AnswerSearch {
  q: string
  words: string
}

/** The weights of text, title and shortcut. One match in the title ranks above any number of matches in the text. */
const weights = '{0.001, 0.001, 0.1, 1}'

/** Without the whole texts, which may be long. Answers whose shortcut begins with `q` come first. */
export const listCannedAnswers = (
  sql: Sql,
  reader: AnswerReader,
  scope: CannedAnswer['scope'] | null,
  { q, words }: AnswerSearch,
) => sql<ListedCannedAnswer[]>`
  select ${known(sql)}, left(content, ${excerptLength}) as excerpt from canned_answers
  where ${isSeen(sql, reader)} and (${scope}::text is null or (owner_id is null) = (${scope}::text = 'shared'))
    and (${q} = '' or shortcut ilike ${`${literally(q)}%`} or search @@ ${words}::text::tsquery
      or search_version < ${indexVersion} and (title ilike ${`%${literally(q)}%`} or content ilike ${`%${literally(q)}%`}))
  order by shortcut ilike ${`${literally(q)}%`} desc, ts_rank(${weights}::text::real[], search, ${words}::text::tsquery) desc,
    lower(shortcut), id`

export async function findCannedAnswer(
  sql: Sql,
  reader: AnswerReader,
  id: string,
): Promise<CannedAnswer | null> {
  const [row] = await sql<CannedAnswer[]>`
    select ${columns(sql)} from canned_answers where ${isSeen(sql, reader)} and id = ${id}`
  return row ?? null
}

export async function lockCannedAnswer(
  sql: Sql,
  reader: AnswerReader,
  id: string,
): Promise<CannedAnswer | null> {
  const [row] = await sql<CannedAnswer[]>`
    select ${columns(sql)} from canned_answers where ${isSeen(sql, reader)} and id = ${id} for update`
  return row ?? null
}

type New = Pick<CannedAnswer, 'id' | 'owner_id' | 'department_id' | 'shortcut' | 'title' | 'content'>

/** Returns false if the shortcut is taken. */
export async function insertCannedAnswer(sql: Sql, projectId: string, answer: New): Promise<boolean> {
  const { count } = await sql`
    insert into canned_answers ${sql({ project_id: projectId, ...answer })} on conflict do nothing`
  return count > 0
}

/** The number of an owner's answers, or of shared answers if `ownerId` is null. */
export async function countCannedAnswers(sql: Sql, projectId: string, ownerId: string | null) {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from canned_answers
    where project_id = ${projectId} and owner_id is not distinct from ${ownerId}::uuid`
  return row!.count
}

export const updateCannedAnswer = (
  sql: Sql,
  projectId: string,
  id: string,
  fields: CannedAnswerChange,
) => sql`
  update canned_answers set ${sql(fields)}, version = version + 1
  where project_id = ${projectId} and id = ${id}`

export const deleteCannedAnswer = (sql: Sql, projectId: string, id: string) => sql`
  delete from canned_answers where project_id = ${projectId} and id = ${id}`
