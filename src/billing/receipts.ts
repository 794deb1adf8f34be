import type { Config } from '../core/config/config.ts'
import type { Tax } from '../core/config/config-values.ts'
import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { findProject } from '../projects/projects.ts'
import { type Buyer, findBuyer } from './buyers.ts'
import type { Cause, StoredLedgerEntry } from './ledger.ts'

/** The receipt of one ledger entry. Its content is fixed when it is first requested. */
export interface Receipt extends Issued {
  title: 'Receipt' | 'Invoice' | 'Refund'
  currency: string
  entry: StoredLedgerEntry
}

interface Issued {
  number: number
  issued_at: string
  /** The project's language. */
  locale: string
  project_name: string
  /** One or more lines. */
  seller: string
  buyer: Buyer
  /** Null if the entry does not pay for a plan. */
  plan_name: string | null
  tax: Tax | null
}

type Seller = Pick<Config, 'billingSeller' | 'billingTax'>

const titles: Partial<Record<Cause, Receipt['title']>> = {
  top_up: 'Receipt',
  plan: 'Invoice',
  refund: 'Refund',
}

async function getEntry(
  sql: Sql,
  projectId: string,
  seq: number,
): Promise<StoredLedgerEntry & { currency: string }> {
  const [entry] = await sql<(StoredLedgerEntry & { currency: string })[]>`
    select e.*, a.currency from balance_entries e join accounts a using (project_id)
    where e.project_id = ${projectId} and e.seq = ${seq}`
  if (!entry)
    throw new UserError(
      `The ledger of project ${projectId} has no entry ${seq}; see deskbell billing ledger`,
      { reason: 'no_receipt' },
    )
  return entry
}

const columns = (sql: Sql) => sql`number, issued_at, locale, project_name, seller, plan_name,
  jsonb_build_object('name', buyer_name, 'address', buyer_address, 'tax_number', buyer_tax_number) as buyer,
  case when tax_name is not null then jsonb_build_object('name', tax_name, 'percent', tax_percent) end as tax`

const findIssued = async (sql: Sql, projectId: string, seq: number): Promise<Issued | undefined> => {
  const [issued] = await sql<Issued[]>`
    select ${columns(sql)} from receipts where project_id = ${projectId} and entry_seq = ${seq}`
  return issued
}

/** Uses the plan's current name, because the ledger has only its code. A top-up is not a sale yet, so it has no tax. */
async function issue(
  sql: Sql,
  projectId: string,
  entry: StoredLedgerEntry,
  { billingSeller, billingTax }: Seller,
) {
  const { name } = await findProject(sql, projectId)
  const buyer = await findBuyer(sql, projectId)
  // One at a time: a sequence would leave gaps when a transaction fails.
  await sql`lock table receipts in exclusive mode`
  const before = await findIssued(sql, projectId, entry.seq)
  if (before) return before
  const code = entry.cause === 'plan' ? entry.reference!.split(' ')[0]! : null
  const tax = code === null ? null : billingTax
  const [issued] = await sql<Issued[]>`
    insert into receipts (number, project_id, entry_seq, project_name, seller, locale,
      buyer_name, buyer_address, buyer_tax_number, plan_name, tax_name, tax_percent)
    select greatest(coalesce(max(number), 0), (select last_receipt from installation)) + 1, ${projectId}::uuid, ${entry.seq}::bigint, ${name}, ${billingSeller},
      (select default_locale from projects where id = ${projectId}), ${buyer.name}, ${buyer.address}, ${buyer.tax_number},
      coalesce((select name from plans where code = ${code}), ${code}), ${tax?.name ?? null}, ${tax?.percent ?? null}
    from receipts returning ${columns(sql)}`
  return issued!
}

/**
 * Gives the receipt its number when it is first requested. Numbers have no gaps in the whole installation. The numbers of a
 * deleted project's receipts are not used again.
 */
export const getReceipt = (store: DbOrTx, projectId: string, seq: number, seller: Seller): Promise<Receipt> =>
  transact(store, projectId, async tx => {
    const { currency, ...entry } = await getEntry(tx, projectId, seq)
    const title = titles[entry.cause]
    if (!title)
      throw new UserError(`Entry ${seq} is a ${entry.cause}; only payments have receipts`, {
        reason: 'no_receipt',
      })
    const issued = (await findIssued(tx, projectId, seq)) ?? (await issue(tx, projectId, entry, seller))
    return { ...issued, title, currency, entry }
  })
