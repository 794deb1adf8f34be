import type { DbOrTx } from '../events/transaction.ts'
import type { ImportedOrganization } from './organization-schema.ts'
import { prepareOrganization } from './prepare-organizations.ts'
import { putOrganizations } from './put-organizations.ts'
import { ItemReport } from './report.ts'
import { type ImportTarget, runImportCall } from './run.ts'
import type { ImportResult } from './schema.ts'

/** Imports some organizations in one transaction. */
export async function importOrganizations(
  store: DbOrTx,
  target: ImportTarget,
  items: ImportedOrganization[],
): Promise<ImportResult[]> {
  const prepared = items.map(prepareOrganization)
  return runImportCall(store, target, async run => {
    const organizations = prepared.map(one => ({
      prepared: one,
      report: new ItemReport(one.item.source_id, one.problem, one.warnings),
    }))
    await putOrganizations(run, organizations)
    return organizations.map(({ report }) => report.print(run.isDryRun))
  })
}
