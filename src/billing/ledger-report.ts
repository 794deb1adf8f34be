import type { Sql } from '../core/db/db.ts'
import { listLedgerEntries, type StoredLedgerEntry } from './ledger.ts'
import { toNumber } from './money.ts'

const columns = ['seq', 'created_at', 'amount', 'balance_after', 'cause', 'reference', 'note', 'by'] as const

export const presentEntry = (entry: StoredLedgerEntry) => ({
  seq: entry.seq,
  created_at: entry.created_at,
  amount: toNumber(entry.amount),
  balance_after: toNumber(entry.balance_after),
  cause: entry.cause,
  reference: entry.reference,
  note: entry.note,
  by: entry.by,
})
export type LedgerEntry = ReturnType<typeof presentEntry>

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
const guard = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

function printCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = guard(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The ledger as CSV (RFC 4180), oldest entry first, amounts with two decimals. */
export function printCsv(entries: LedgerEntry[]): string {
  const rows = entries.map(entry =>
    columns.map(name =>
      name === 'amount' || name === 'balance_after' ? entry[name].toFixed(2) : printCell(entry[name]),
    ),
  )
  return [columns, ...rows].map(row => row.join(',')).join('\r\n')
}

export const listLedger = async (sql: Sql, projectId: string): Promise<LedgerEntry[]> =>
  (await listLedgerEntries(sql, projectId)).map(presentEntry).reverse()
