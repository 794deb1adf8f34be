import type { Fragment, Sql } from '../../core/db/db.ts'

/** Statements that are the same for mailboxes, bots and custom channels. */

/** A table of accounts, and what is read of each. */
export interface AccountSource {
  name: string
  columns(sql: Sql, projectId: string): Fragment
}

/** The oldest account first. */
export const listAccounts = <R extends object>(
  sql: Sql,
  { name, columns }: AccountSource,
  projectId: string,
) => sql<R[]>`
  select ${columns(sql, projectId)} from ${sql(name)} where project_id = ${projectId} order by created_at, id`

export async function findAccountRow<R extends object>(
  sql: Sql,
  { name, columns }: AccountSource,
  projectId: string,
  id: string,
): Promise<R | null> {
  const [row] = await sql<R[]>`
    select ${columns(sql, projectId)} from ${sql(name)} where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function lockAccountRow<R extends object>(
  sql: Sql,
  { name, columns }: AccountSource,
  projectId: string,
  id: string,
): Promise<R | null> {
  const [row] = await sql<R[]>`
    select ${columns(sql, projectId)} from ${sql(name)} where project_id = ${projectId} and id = ${id} for no key update`
  return row ?? null
}

export async function countAccounts(sql: Sql, table: string, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${sql(table)} where project_id = ${projectId}`
  return row!.count
}

export const deleteAccount = (sql: Sql, table: string, projectId: string, id: string) => sql`
  delete from ${sql(table)} where project_id = ${projectId} and id = ${id}`
