import { closeSync, openSync, writeSync } from 'node:fs'
import type { Importer } from '../../importers/importer.ts'
import type { ImportSummary } from '../../importers/run-import.ts'
import { createStorages } from '../../media/media.ts'
import { findProject } from '../../projects/projects.ts'
import { auditCommand } from '../audited.ts'
import type { Command } from '../command.ts'
import { count, output } from '../output.ts'
import { UsageError, type Values } from '../parse.ts'
import type { CliSession } from '../session.ts'
import { drawTable } from '../table.ts'
import { openMailVault } from './mail-vault.ts'
import { asUserErrors } from './user-errors.ts'

/** What the commands that import have in common. */

export const importOptions = {
  required: ['project'],
  optional: ['source', 'skipped'],
  flags: ['dry-run'],
} satisfies Partial<Command>

export const importNotes = {
  source: 'the name of the import; a later run with the same name continues it',
  skipped: 'a file that gets a line of JSON for each skipped record, with the reason',
  'dry-run': 'writes nothing, and shows what would be imported and which values have no counterpart',
}

/** Loaded on demand, because other commands need none of it. */
const schemas = () => import('../../imports/schema.ts')
const runs = () => import('../../importers/run-import.ts')

export async function readImportName(word: string | undefined, usual: string): Promise<string> {
  const { sourceNamePattern } = await schemas()
  const source = word ?? usual
  if (sourceNamePattern.test(source)) return source
  throw new UsageError(
    `--source should be up to 64 lower-case letters, digits, dots, hyphens and underscores, such as zendesk, not "${source}"`,
  )
}

/** Writes a line for each skipped record immediately, because the import may be interrupted. */
function openSkipped(path: string | undefined) {
  if (path === undefined) return { write: () => undefined, close: () => undefined }
  const file = openSync(path, 'w')
  return {
    write: (one: object): void => void writeSync(file, `${JSON.stringify(one)}\n`),
    close: () => closeSync(file),
  }
}

/** Imports with the options of the command. `format` is the default name of the import. */
export async function importWith(
  session: CliSession,
  values: Values,
  format: string,
  importer: Importer,
): Promise<ImportSummary> {
  const { db, config, log } = session
  const { project: projectId = '' } = values
  const source = await readImportName(values.source, format)
  const { runImport } = await runs()
  const dryRun = values['dry-run'] === 'yes'
  await findProject(db, projectId)
  const vault = await openMailVault(session)
  const storages = createStorages({ config, db, vault })
  const { signal } = new AbortController()
  const context = { db, storages, log, projectId, source, dryRun, signal, tell: output.tell }
  const skipped = openSkipped(values.skipped)
  try {
    const target = { type: 'import', name: source } as const
    if (!dryRun) await auditCommand(db, projectId, { action: 'import.started', target, detail: { format } })
    return await asUserErrors(() => runImport(context, importer, skipped.write))
  } finally {
    skipped.close()
  }
}

/** Only exports of Deskbell contain organizations. */
function drawCounts({ organizations, contacts, tickets, messages }: ImportSummary): string {
  const hasOrganizations = Object.values(organizations).some(number => number > 0)
  const kinds = { ...(hasOrganizations && { organizations }), contacts, tickets, messages }
  const rows = Object.entries(kinds).map(([noun, counts]) => [noun, ...Object.values(counts).map(String)])
  return drawTable([['', 'CREATED', 'EXISTING', 'MATCHED', 'SKIPPED'], ...rows])
}

const maxDrawn = 50

function drawUnmapped({ unmapped }: ImportSummary): string {
  if (unmapped.length === 0) return ''
  const rows = unmapped
    .slice(0, maxDrawn)
    .map(({ field, value, reason, count }) => [field, value, reason, String(count)])
  const more = unmapped.length > maxDrawn ? `\nand ${unmapped.length - maxDrawn} more; --json lists them` : ''
  return `Values that are left out, because they have no counterpart in the project:\n${drawTable([['FIELD', 'VALUE', 'REASON', 'COUNT'], ...rows])}${more}`
}

export function drawImport(summary: ImportSummary): string {
  const { skipped, source, is_dry_run } = summary
  return [
    drawCounts(summary),
    skipped > 0 &&
      `${count(skipped, 'record')} of the source could not be imported; --skipped FILE lists them`,
    drawUnmapped(summary),
    is_dry_run
      ? 'Nothing was written. Run the same command without --dry-run to import'
      : `Imported as "${source}". To delete what was imported, run bin/deskbell import remove ${source} --project ID`,
  ]
    .filter(Boolean)
    .join('\n\n')
}
