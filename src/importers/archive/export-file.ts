import type { Readable } from 'node:stream'
import { openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { codeOf, errorOf } from '../../core/thrown.ts'
import { UserError } from '../../core/user-error.ts'
import { checkSizes, readExportedRows } from './read-rows.ts'
import type { ExportedRows } from './rows.ts'

/** An export of a project: a zip file with a JSON Lines file for each table, and the uploaded files. */
export interface ExportFile {
  /** The rows of a table, ordered by id; none if the export has no such table. */
  rows<Table extends keyof ExportedRows>(table: Table): AsyncIterable<ExportedRows[Table]>
  anyRows(table: string): AsyncIterable<Record<string, unknown>>
  hasFile(id: string): boolean
  /** The bytes of a file; null if the export does not contain it. */
  openFile(id: string): Promise<Readable | null>
  close(): void
}

async function open(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false })
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EISDIR'].includes(codeOf(error)))
      throw new UserError(`Cannot read ${path} (${codeOf(error)}); check the path and its permissions`)
    throw new UserError(`${path} is not a complete zip file: ${errorOf(error).message}. Download it again`)
  }
}

/** The id in a name such as `files/0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11-photo.jpg`. */
const fileId = (name: string): string | undefined => /^files\/([0-9a-f-]{36})-/.exec(name)?.[1]

async function listEntries(zip: ZipFile): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>()
  for await (const entry of zip.eachEntry()) entries.set(fileId(entry.fileName) ?? entry.fileName, entry)
  return entries
}

function requireExport(path: string, entries: Map<string, ZipEntry>): void {
  if (!entries.has('project.json') || !entries.has('tickets.jsonl'))
    throw new UserError(
      `${path} is not an export of a Deskbell project: project.json or tickets.jsonl is missing. Use the zip file from the page Export of the dashboard`,
    )
  for (const entry of entries.values()) checkSizes(entry)
}

export async function openExportFile(path: string): Promise<ExportFile> {
  const zip = await open(path)
  const entries = await listEntries(zip)
  const read = async (name: string) => {
    const entry = entries.get(name)
    return entry ? zip.openReadStreamPromise(entry) : null
  }
  try {
    requireExport(path, entries)
  } catch (error) {
    zip.close()
    throw error
  }
  async function* rows<Row>(table: string): AsyncGenerator<Row> {
    const name = `${table}.jsonl`
    const content = await read(name)
    if (content) yield* readExportedRows<Row>(content, name)
  }
  return {
    rows,
    anyRows: rows,
    hasFile: id => entries.has(id),
    openFile: read,
    close: () => zip.close(),
  }
}
