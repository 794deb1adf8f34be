import type { TableRow } from './queries.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const list = ({ name, columns }: TableRow): string => `${quote(name)} (${columns.map(quote).join(', ')})`

/** In text format, which every version of PostgreSQL can read. */
export const copyTo = (table: TableRow): string => `copy ${list(table)} to stdout`

export const copyFrom = (table: TableRow): string => `copy ${list(table)} from stdin`
