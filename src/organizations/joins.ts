import type { Db } from '../core/db/db.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { listDomainSpellings } from './domains.ts'
import {
  deleteJoins,
  deleteOrganizationRow,
  findDeletedOrganization,
  insertJoins,
  type JoinRow,
  listJoining,
  lockDueJoin,
  updateJoin,
  updateJoining,
  updateJoinSecond,
  updateLeaving,
} from './join-queries.ts'
import { insertOrganizationDomains } from './queries.ts'

/** Contacts join when their domain is added to an organization, and leave when the organization is deleted. */

/** Contacts per transaction, which limits how long other writers of the project wait. */
const joinBatchSize = 500

/**
 * A contact whose transaction began before the domain was committed does not see it, and the first pass does not see the contact.
 * Transactions are much shorter than this.
 */
const secondPassMs = 60_000

/** Adds some contacts to the organization, and returns how many were looked at. */
async function joinSome(tx: Tx, join: JoinRow): Promise<number> {
  const { domain, organization_id, is_second } = join
  const found = await listJoining(tx, tx.projectId, join, joinBatchSize)
  await updateJoining(tx, organization_id, [...new Set(found.map(({ contact_id }) => contact_id))])
  if (found.length === joinBatchSize) await updateJoin(tx, tx.projectId, domain, found.at(-1)!.value)
  else if (is_second) await deleteJoins(tx, tx.projectId, [domain])
  else await updateJoinSecond(tx, tx.projectId, domain, secondPassMs)
  return Math.max(found.length, 1)
}

/** The first contacts join immediately, the others by a job. */
export async function joinByDomains(tx: Tx, organizationId: string, domains: string[]): Promise<void> {
  for (const domain of domains.flatMap(listDomainSpellings)) {
    await insertJoins(tx, tx.projectId, organizationId, [domain])
    await joinSome(tx, { domain, organization_id: organizationId, reached: '', is_second: false })
  }
  if (domains.length) tx.noteDue('organizations')
}

/** Takes those of the domains that are free, and returns them. The project's contacts with such addresses join by a job. */
export async function takeFreeDomains(tx: Tx, organizationId: string, domains: string[]): Promise<string[]> {
  if (!domains.length) return []
  const taken = await insertOrganizationDomains(tx, tx.projectId, organizationId, domains)
  await insertJoins(tx, tx.projectId, organizationId, taken.flatMap(listDomainSpellings))
  tx.noteDue('organizations')
  return taken
}

export const stopJoining = (tx: Tx, domains: string[]) =>
  deleteJoins(tx, tx.projectId, domains.flatMap(listDomainSpellings))

/** The first members leave immediately, the others by a job, which then deletes the organization. */
export async function removeMembers(tx: Tx, organizationId: string): Promise<number> {
  const count = await updateLeaving(tx, organizationId, joinBatchSize)
  if (count < joinBatchSize) await deleteOrganizationRow(tx, tx.projectId, organizationId)
  else tx.noteDue('organizations')
  return Math.max(count, 1)
}

/** Continues the joining and leaving of a project's contacts, and returns how many were looked at. */
export const continueJoins = (db: Db, projectId: string): Promise<number> =>
  transact(db, projectId, async tx => {
    const join = await lockDueJoin(tx, projectId)
    if (join) return joinSome(tx, join)
    const deleted = await findDeletedOrganization(tx, projectId)
    return deleted ? removeMembers(tx, deleted) : 0
  })
