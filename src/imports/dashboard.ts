import { recordAudit } from '../audit/audit.ts'
import type { Caller, Endpoint } from '../core/endpoint.ts'
import { endpoint } from '../core/endpoint.ts'
import type { DbOrTx } from '../events/transaction.ts'
import { transact } from '../events/transaction.ts'
import { listImports, removeImport } from './imports.ts'
import { type ImportedSource, importedSource, importList, removalQuery } from './schema.ts'

const tag = 'Import'
const minRole = 'admin'

const removeAs = (
  store: DbOrTx,
  { project, actor }: Caller,
  source: string,
  options: { force?: boolean | undefined },
): Promise<ImportedSource> =>
  transact(store, project.id, async tx => {
    const removed = await removeImport(tx, project.id, source, options)
    await recordAudit(tx, project.id, actor, 'import.removed', { type: 'import', name: source })
    return removed
  })

export const importDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/imports',
    tag,
    summary: 'List the imports of the project',
    minRole,
    responses: { 200: importList },
    errors: [],
    run: async ({ db, project }) => ({ items: [...(await listImports(db, project.id))] }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/imports/{source}',
    tag,
    summary: 'Remove an import',
    minRole,
    query: removalQuery,
    responses: { 202: importedSource },
    errors: ['IMPORT_NOT_FOUND'],
    run: call => removeAs(call.db, call, call.params.source!, call.query),
  }),
]
