import type { DbOrTx } from '../events/transaction.ts'
import { gatherTexts } from '../words/words.ts'
import type { ImportedMembership } from './organization-schema.ts'
import { contactTexts, prepareContact } from './prepare-contacts.ts'
import { putContacts } from './put-contacts.ts'
import { ItemReport } from './report.ts'
import { type ImportTarget, runImportCall } from './run.ts'
import type { ImportedContact, ImportResult } from './schema.ts'

/** Imports up to a hundred contacts in one transaction. Contacts whose `source_id` is not in `memberships` may join an organization by their addresses. */
export async function importContacts(
  store: DbOrTx,
  target: ImportTarget,
  items: ImportedContact[],
  memberships: ReadonlyMap<string, ImportedMembership> = new Map(),
): Promise<ImportResult[]> {
  const prepared = items.map(item => prepareContact(item))
  if (!target.dryRun) await gatherTexts(store, target.projectId, prepared.flatMap(contactTexts))
  return runImportCall(store, target, async run => {
    const contacts = prepared.map(one => {
      const report = new ItemReport(one.item.source_id, one.problem, one.warnings)
      return { prepared: one, report, membership: memberships.get(one.item.source_id) ?? null }
    })
    await putContacts(run, contacts)
    return contacts.map(({ report }) => report.print(run.isDryRun))
  })
}
