import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { type Hundredths, showMoney } from './money.ts'

export type Cause = 'top_up' | 'plan' | 'credit' | 'correction' | 'refund'

export interface StoredLedgerEntry {
  seq: number
  amount: Hundredths
  balance_after: Hundredths
  cause: Cause
  idempotency_key: string
  reference: string | null
  note: string | null
  by: string | null
  created_at: string
}

export interface NewLedgerEntry {
  amount: Hundredths
  currency: string
  cause: Cause
  /** Entries with the same key are written once. */
  key: string
  reference?: string | null
  note?: string | null
  by?: string | null
}

export interface BillingAccount {
  currency: string
  balance: Hundredths
}

const balanceOf = (sql: Sql, projectId: string) => sql`coalesce((
  select balance_after from balance_entries where project_id = ${projectId} order by seq desc limit 1), 0)`

/** Null until the first entry. */
export async function findAccount(sql: Sql, projectId: string): Promise<BillingAccount | null> {
  const [account] = await sql<BillingAccount[]>`
    select currency, ${balanceOf(sql, projectId)} as balance from accounts where project_id = ${projectId}`
  return account ?? null
}

/** Locks the account against other entries until the transaction ends, so that the balance read here is current. */
export async function lockAccount(sql: Sql, projectId: string): Promise<BillingAccount | null> {
  await sql`select from accounts where project_id = ${projectId} for update`
  return findAccount(sql, projectId)
}

/** The balance in this currency: 0 if the account has another currency. */
export const balanceIn = (account: BillingAccount | null, currency: string | null): Hundredths =>
  account && account.currency === currency ? account.balance : 0

/** A project's account has one currency, which the first payment sets. */
export async function openAccount(sql: Sql, projectId: string, currency: string): Promise<void> {
  await sql`insert into accounts (project_id, currency) values (${projectId}, ${currency}) on conflict do nothing`
  const [account] = await sql<{ currency: string }[]>`
    select currency from accounts where project_id = ${projectId}`
  if (account!.currency !== currency)
    throw new UserError(`The balance of project ${projectId} is in ${account!.currency}, not ${currency}`, {
      reason: 'other_currency',
      currency: account!.currency,
    })
}

/** Writes an entry; null if its key was used before. */
export async function insertLedgerEntry(
  sql: Sql,
  projectId: string,
  entry: NewLedgerEntry,
): Promise<StoredLedgerEntry | null> {
  const { amount, currency, cause, key, reference = null, note = null, by = null } = entry
  await openAccount(sql, projectId, currency)
  const account = await lockAccount(sql, projectId)
  if (
    amount < 0 &&
    cause !== 'correction' &&
    account!.balance + amount < 0 &&
    !(await findLedgerEntry(sql, projectId, key))
  )
    throw new UserError(
      `The balance of ${showMoney(account!.balance, currency)} does not cover ${showMoney(-amount, currency)}`,
    )
  const [booked] = await sql<StoredLedgerEntry[]>`
    insert into balance_entries (project_id, amount, cause, idempotency_key, reference, note, by)
    values (${projectId}, ${amount}, ${cause}, ${key}, ${reference}, ${note}, ${by}) returning *`
  return booked ?? null
}

export async function findLedgerEntry(
  sql: Sql,
  projectId: string,
  key: string,
): Promise<StoredLedgerEntry | null> {
  const [entry] = await sql<StoredLedgerEntry[]>`
    select * from balance_entries where project_id = ${projectId} and idempotency_key = ${key}`
  return entry ?? null
}

/** Newest first. Without a limit, all entries. */
export const listLedgerEntries = async (sql: Sql, projectId: string, limit: number | null = null) => [
  ...(await sql<StoredLedgerEntry[]>`
    select * from balance_entries where project_id = ${projectId} order by seq desc limit ${limit}`),
]
