import { anyId, type Fragment, type Sql, unprepared } from '../../../core/db/db.ts'
import type { FoundRow } from '../../../core/paging/paging.ts'
import type { SenderRule, SenderVerdict } from './sender-schema.ts'

/** Queries for sender rules. */

export type SenderRuleRow = SenderRule

const columns = (sql: Sql): Fragment =>
  sql`id, pattern, verdict, author_type, author_id, author_name, created_at`

export const findSenderRuleIds = (sql: Sql, projectId: string, matching: Fragment, ordering: Fragment) =>
  unprepared(sql<FoundRow[]>`
    select id, created_at as sort_value from sender_rules where project_id = ${projectId} and ${matching} ${ordering}`)

export const listSenderRulesByIds = (sql: Sql, projectId: string, ids: string[]) => sql<SenderRuleRow[]>`
  select ${columns(sql)} from sender_rules where project_id = ${projectId} and id = ${anyId(sql, ids)}`

export async function countSenderRules(
  sql: Sql,
  projectId: string,
  matching: Fragment,
  limit: number,
): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from sender_rules where project_id = ${projectId} and ${matching} limit ${limit}) r`)
  return row!.count
}

/** The rules with these patterns. In a sub-select, the list does not change the plan, as in `anyId`. */
export const listSenderVerdicts = (sql: Sql, projectId: string, patterns: string[]) => sql<
  { pattern: string; verdict: SenderVerdict }[]
>`
  select pattern, verdict from sender_rules
  where project_id = ${projectId} and pattern = any((select ${patterns}::text[])::text[])`

export async function lockSenderRule(
  sql: Sql,
  projectId: string,
  pattern: string,
): Promise<SenderRuleRow | null> {
  const [row] = await sql<SenderRuleRow[]>`
    select ${columns(sql)} from sender_rules where project_id = ${projectId} and pattern = ${pattern} for update`
  return row ?? null
}

/** Replaces the rule with the same pattern. */
export async function insertSenderRule(
  sql: Sql,
  projectId: string,
  rule: Omit<SenderRuleRow, 'created_at'>,
): Promise<SenderRuleRow> {
  const [row] = await sql<SenderRuleRow[]>`
    insert into sender_rules ${sql({ project_id: projectId, ...rule })}
    on conflict (project_id, pattern) do update set verdict = excluded.verdict, author_type = excluded.author_type,
      author_id = excluded.author_id, author_name = excluded.author_name, created_at = excluded.created_at
    returning ${columns(sql)}`
  return row!
}

export async function deleteSenderRuleRow(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<SenderRuleRow | null> {
  const [row] = await sql<SenderRuleRow[]>`
    delete from sender_rules where project_id = ${projectId} and id = ${id} returning ${columns(sql)}`
  return row ?? null
}

/** Whether an address belongs to a mailbox or an operator of the project. */
export async function hasOwnAddress(sql: Sql, projectId: string, address: string): Promise<boolean> {
  const [row] = await sql<{ is_own: boolean }[]>`
    select exists (select from mailbox_addresses where project_id = ${projectId} and address = ${address})
      or exists (select from operators where project_id = ${projectId} and lower(email) = ${address} and removed_at is null)
      as is_own`
  return row!.is_own
}
