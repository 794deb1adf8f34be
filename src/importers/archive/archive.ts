import type { ImportedOrganization } from '../../imports/imports.ts'
import type { ImportedContact, ImportedTicket } from '../../imports/schema.ts'
import type { ImportContext, Importer, ImportItem } from '../importer.ts'
import { fromExportedContact, toMembership } from './contacts.ts'
import { type ExportFile, openExportFile } from './export-file.ts'
import { readMessages } from './files.ts'
import { readInOrder } from './order.ts'
import { fromExportedOrganization } from './organizations.ts'
import type { Ids } from './rename-ids.ts'
import { type AddedSettings, importSettings, matchOperators } from './settings.ts'
import { fromExportedTicket } from './tickets.ts'

/** The tables of an export that are not imported, and the column by which their rows are listed. */
const notImported = {
  mailboxes: 'address',
  telegram_bots: 'username',
  custom_channels: 'name',
  webhooks: 'url',
  api_keys: 'name',
  sender_rules: 'pattern',
} as const

async function* listNotImported(file: ExportFile): AsyncGenerator<ImportItem> {
  yield { kind: 'unmapped', field: 'settings', value: 'project', reason: 'not_imported' }
  for (const [table, column] of Object.entries(notImported))
    for await (const row of file.anyRows(table))
      yield { kind: 'unmapped', field: table, value: String(row[column]), reason: 'not_imported' }
}

const printAdded = (added: AddedSettings): string =>
  `Added ${Object.entries(added)
    .map(([kind, count]) => `${count} ${kind.replace('_', ' ')}`)
    .join(', ')}`

/**
 * A dry run creates no departments, custom fields or records, so the references to them are removed.
 */
const withoutReferences = {
  organization: (organization: ImportedOrganization): ImportedOrganization => ({
    ...organization,
    custom_fields: {},
  }),
  contact: ({ merged_into, full_name, source_id, ...contact }: ImportedContact): ImportedContact => ({
    ...(merged_into ? {} : contact),
    ...{ source_id, full_name, custom_fields: {} },
  }),
  ticket: (ticket: ImportedTicket): ImportedTicket => ({
    ...ticket,
    ...{ department: null, custom_fields: {}, follow_up_of: null },
  }),
}

async function* readOrganizations({ dryRun }: ImportContext, file: ExportFile): AsyncGenerator<ImportItem> {
  for await (const row of file.rows('organizations')) {
    if (row.deleted_at !== null) continue
    const item = fromExportedOrganization(row)
    yield { kind: 'organization', item: dryRun ? withoutReferences.organization(item) : item }
  }
}

async function* readContacts({ dryRun }: ImportContext, file: ExportFile): AsyncGenerator<ImportItem> {
  const rows = readInOrder(
    () => file.rows('contacts'),
    ({ merged_into_id }) => merged_into_id,
  )
  for await (const row of rows) {
    const item = fromExportedContact(row)
    if (dryRun) yield { kind: 'contact', item: withoutReferences.contact(item) }
    else yield { kind: 'contact', item, membership: toMembership(row) }
  }
}

async function* readTickets(
  { dryRun }: ImportContext,
  file: ExportFile,
  operators: Ids,
): AsyncGenerator<ImportItem> {
  const departments = new Map<string, string>()
  for await (const { id, name } of file.rows('departments')) departments.set(id, name)
  for await (const row of file.rows('tickets')) {
    const item = fromExportedTicket(row, { operators, departments })
    yield { kind: 'ticket', item: dryRun ? withoutReferences.ticket(item) : item }
  }
}

async function* addSettings(
  context: ImportContext,
  file: ExportFile,
  operators: Ids,
): AsyncGenerator<ImportItem> {
  const { added, refusedViews } = await importSettings(context, file, operators)
  context.tell(printAdded(added))
  for (const value of refusedViews)
    yield { kind: 'unmapped', field: 'saved_view', value, reason: 'unknown_conditions' }
}

async function* readRecords(context: ImportContext, file: ExportFile): AsyncGenerator<ImportItem> {
  const { db, projectId, dryRun } = context
  const { ids: operators, missing } = await matchOperators(
    db,
    projectId,
    await Array.fromAsync(file.rows('operators')),
  )
  for (const { email } of missing)
    yield { kind: 'unmapped', field: 'operator', value: email, reason: 'unknown_operator' }
  yield* listNotImported(file)
  if (!dryRun) yield* addSettings(context, file, operators)
  yield* readOrganizations(context, file)
  yield* readContacts(context, file)
  yield* readTickets(context, file, operators)
  yield* readMessages(context, file, operators)
}

/** Imports an export of Deskbell: the zip file that owners download. */
export const importArchive = (path: string): Importer => ({
  total: null,
  async *read(context) {
    const file = await openExportFile(path)
    try {
      yield* readRecords(context, file)
    } finally {
      file.close()
    }
  },
})
