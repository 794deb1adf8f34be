import type { Fragment, Sql } from '../core/db/db.ts'

/** What a domain provides about the records that are searched. */

/** A table with the columns `search`, a `tsvector`, and `search_version`, the version of the rule that made it. */
export interface Indexed<Row extends object> {
  table: string
  /** The columns that `printIndex` needs. */
  columns: (keyof Row & string)[]
  /** The `tsvector` of a row, as Postgres reads it. */
  printIndex(row: Row): string
}

/** A text, and the language it is written in, if that is known. */
export interface Written {
  text: string
  language: string | null
}

/** Records whose words are gathered. They are read in the order of their changes, so that nothing is missed. */
export interface Gathered<Row extends object> {
  name: string
  /** A join, with a condition on the project. */
  rows(sql: Sql, projectId: string): Fragment
  /** The column of the id, and a time that is never earlier for a change that becomes visible later. */
  id: string
  changedAt(sql: Sql): Fragment
  columns(sql: Sql): Fragment
  read(row: Row): Written[]
}
