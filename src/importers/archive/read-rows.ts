import type { Readable } from 'node:stream'
import type { Entry } from 'yauzl'
import { errorOf } from '../../core/thrown.ts'
import { UserError } from '../../core/user-error.ts'
import type { ExportedRows } from './rows.ts'

/** Reads the records of an export. Limits keep a damaged or forged file from exhausting the memory. */

/** Tables of which the import keeps all rows in memory. It reads the others row by row, so they may have many gigabytes. */
const keptTables: readonly (keyof ExportedRows)[] = [
  ...(['operators', 'departments', 'tags', 'custom_fields', 'canned_answers'] as const),
  ...(['saved_views', 'categories'] as const),
]

const megabyte = 1024 * 1024
const maxKeptBytes = 256 * megabyte
/** In characters. The largest rows are articles with all their translations. */
const maxRowLength = 64 * megabyte
/** Compression makes the rows of a project with 18,000 messages 8 to 10 times smaller: each has several random ids. */
const maxRatio = 200
const minCheckedBytes = 1024 * megabyte

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`

const downloadAgain = 'Download the export again from the page Export of the dashboard'

type Sizes = Pick<Entry, 'fileName' | 'compressedSize' | 'uncompressedSize'>

/** Refuses a file of records that would fill the memory, or that no export contains. The sizes are checked again while it is read. */
export function checkSizes({ fileName, compressedSize, uncompressedSize }: Sizes): void {
  const table = /^(\w+)\.jsonl$/.exec(fileName)?.[1]
  if (table === undefined) return
  const size = inMegabytes(uncompressedSize)
  if (uncompressedSize > minCheckedBytes && uncompressedSize > compressedSize * maxRatio)
    throw new UserError(
      `${fileName} would unpack from ${inMegabytes(compressedSize)} to ${size}, so it is not from an export. ${downloadAgain}`,
    )
  if (keptTables.some(kept => kept === table) && uncompressedSize > maxKeptBytes)
    throw new UserError(
      `${fileName} unpacks to ${size}, and an import reads at most ${inMegabytes(maxKeptBytes)} of it. Delete records that the exported project does not need, and export it again`,
    )
}

/** Node's readline also ends lines at U+2028, which JSON strings may contain. */
async function* splitLines(content: Readable, name: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of content) {
    rest += chunk
    if (rest.length > maxRowLength)
      throw new UserError(`A record in ${name} is larger than ${inMegabytes(maxRowLength)}. ${downloadAgain}`)
    // A long line is not searched again for each chunk, because that would take minutes.
    if (!chunk.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest) yield rest
}

function parseRow(line: string) {
  const row: unknown = JSON.parse(line)
  if (typeof row !== 'object' || row === null) throw new Error('a line is not a record')
  return row
}

/** `name` is the name of the file in the export, for errors. */
export async function* readExportedRows<Row>(content: Readable, name: string): AsyncGenerator<Row> {
  content.setEncoding('utf8')
  try {
    for await (const line of splitLines(content, name)) yield parseRow(line) as Row
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name} is damaged: ${errorOf(error).message}. ${downloadAgain}`)
  }
}
