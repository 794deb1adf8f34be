import type { Sql } from '../core/db.ts'
import { Mistake } from '../core/mistake.ts'
import { type Store, transact } from '../events/transaction.ts'
import { findProject } from '../projects/projects.ts'
import type { Cause, Entry } from './ledger.ts'

/** The document of one entry of a ledger. What it says stays as it was when it was first asked for. */
export interface Receipt {
  number: number
  title: string
  issued_at: string
  project_name: string
  /** One or more lines. */
  seller: string
  currency: string
  entry: Entry
}

const titles: Partial<Record<Cause, string>> = { top_up: 'Receipt', plan: 'Invoice', refund: 'Refund' }

async function getEntry(sql: Sql, projectId: string, seq: number): Promise<Entry & { currency: string }> {
  const [entry] = await sql<(Entry & { currency: string })[]>`
    select e.*, a.currency from balance_entries e join accounts a using (project_id)
    where e.project_id = ${projectId} and e.seq = ${seq}`
  if (!entry)
    throw new Mistake(`The ledger of project ${projectId} has no entry ${seq}; see deskbell billing ledger`)
  return entry
}

type Issued = Pick<Receipt, 'number' | 'issued_at' | 'project_name' | 'seller'>

const findIssued = async (sql: Sql, projectId: string, seq: number): Promise<Issued | undefined> => {
  const [issued] = await sql<Issued[]>`
    select number, issued_at, project_name, seller from receipts
    where project_id = ${projectId} and entry_seq = ${seq}`
  return issued
}

async function issue(sql: Sql, projectId: string, seq: number, seller: string): Promise<Issued> {
  const { name } = await findProject(sql, projectId)
  // One after another: a sequence would leave gaps where a transaction fails.
  await sql`lock table receipts in exclusive mode`
  const before = await findIssued(sql, projectId, seq)
  if (before) return before
  const [issued] = await sql<Issued[]>`
    insert into receipts (number, project_id, entry_seq, project_name, seller)
    select coalesce(max(number), 0) + 1, ${projectId}::uuid, ${seq}::bigint, ${name}, ${seller} from receipts
    returning number, issued_at, project_name, seller`
  return issued!
}

/** Numbers the document of an entry when it is first asked for, without a gap in the whole installation. */
export const getReceipt = (store: Store, projectId: string, seq: number, seller: string): Promise<Receipt> =>
  transact(store, projectId, async tx => {
    const { currency, ...entry } = await getEntry(tx, projectId, seq)
    const title = titles[entry.cause]
    if (!title) throw new Mistake(`Entry ${seq} is a ${entry.cause}; there are receipts of payments only`)
    const issued = (await findIssued(tx, projectId, seq)) ?? (await issue(tx, projectId, seq, seller))
    return { ...issued, title, currency, entry }
  })
