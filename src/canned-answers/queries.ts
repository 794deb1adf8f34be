import type { Fragment, Sql } from '../core/db.ts'
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
  version, created_at, updated_at` as Fragment

const columns = (sql: Sql): Fragment => sql`${known(sql)}, content` as Fragment

/** Whose answers somebody sees: their own, everybody's, and those of their departments; admins see all that are shared. */
export interface AnswerReader {
  project_id: string
  operator_id: string
  is_admin: boolean
}

const isSeen = (sql: Sql, { project_id, operator_id, is_admin }: AnswerReader): Fragment =>
  sql`project_id = ${project_id} and (owner_id = ${operator_id} or owner_id is null and (
    ${is_admin} or department_id is null or department_id in (
      select department_id from department_operators where project_id = ${project_id} and operator_id = ${operator_id})))` as Fragment

const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A search: as it was typed, and as a `tsquery`. */
export interface AnswerSearch {
  q: string
  words: string
}

/** How much a word counts in the text, the title and the shortcut: one in the title comes before any number in the text. */
const weights = '{0.001, 0.001, 0.1, 1}'

/** Without their texts, which may be long. Those whose shortcut begins with what is searched come first. */
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

/** False when the shortcut is taken. */
export async function insertCannedAnswer(sql: Sql, projectId: string, answer: New): Promise<boolean> {
  const { count } = await sql`
    insert into canned_answers ${sql({ project_id: projectId, ...answer } as never)} on conflict do nothing`
  return count > 0
}

/** How many there are of an owner, or of everybody. */
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
  update canned_answers set ${sql(fields as never)}, version = version + 1
  where project_id = ${projectId} and id = ${id}`

export const deleteCannedAnswer = (sql: Sql, projectId: string, id: string) => sql`
  delete from canned_answers where project_id = ${projectId} and id = ${id}`
