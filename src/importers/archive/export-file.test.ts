import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { addZipEntry, openZip, textEntry } from '../../exports/zip.ts'
import { openExportFile } from './export-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'deskbell-export-file-'))
after(() => rm(folder, { recursive: true }))

async function* repeat(text: string, times = 1): AsyncGenerator<string> {
  for (let left = times; left > 0; left--) yield text
}

/** Writes an export with these files. */
async function writeExport(files: Record<string, AsyncIterable<string>>): Promise<string> {
  const zip = await openZip(async draft => {
    for (const [name, content] of Object.entries({ 'project.json': repeat('{}'), ...files }))
      await addZipEntry(draft, name, textEntry(content))
  })
  const path = join(folder, `${process.hrtime.bigint()}.zip`)
  await writeFile(path, await buffer(zip))
  return path
}

/** Replaces the size that the file of this name has in the directory of the zip. */
async function declareSize(path: string, name: string, size: number): Promise<void> {
  const bytes = await readFile(path)
  const entry = bytes.lastIndexOf(name) - 46
  assert.equal(bytes.readUInt32LE(entry), 0x02014b50)
  bytes.writeUInt32LE(size, entry + 24)
  await writeFile(path, bytes)
}

const megabyte = 1024 * 1024

async function readTickets(path: string): Promise<unknown[]> {
  const file = await openExportFile(path)
  try {
    return await Array.fromAsync(file.rows('tickets'))
  } finally {
    file.close()
  }
}

test('records that would unpack to gigabytes from almost nothing are refused before anything is read', async () => {
  const path = await writeExport({ 'tickets.jsonl': repeat('{"id": "a"}\n') })
  await declareSize(path, 'tickets.jsonl', 3 * 1024 * megabyte)
  await assert.rejects(openExportFile(path), {
    message:
      'tickets.jsonl would unpack from 1 MB to 3072 MB, so it is not from an export. Download the export again from the page Export of the dashboard',
  })
})

test('a table that the import keeps in memory is refused if it is too large', async () => {
  const path = await writeExport({ 'tickets.jsonl': repeat('\n'), 'tags.jsonl': repeat('{"id": "a"}\n') })
  await declareSize(path, 'tags.jsonl', 300 * megabyte)
  await assert.rejects(openExportFile(path), /^Error: tags\.jsonl unpacks to 300 MB, .*export it again$/)
  await declareSize(path, 'tags.jsonl', 12)
  ;(await openExportFile(path)).close()
})

test('a record of more than 64 MB is refused while it is read, and smaller ones are not', async () => {
  const long = 'x'.repeat(megabyte)
  async function* record(megabytes: number): AsyncGenerator<string> {
    yield '{"id": "a", "text": "'
    yield* repeat(long, megabytes)
    yield '"}\n'
  }
  const rows = await readTickets(await writeExport({ 'tickets.jsonl': record(2) }))
  assert.partialDeepStrictEqual(rows, [{ id: 'a' }])
  const path = await writeExport({ 'tickets.jsonl': record(66) })
  await assert.rejects(readTickets(path), /A record in tickets\.jsonl is larger than 64 MB\. Download/)
})

test('records that are larger than the zip file says, or that are not JSON, are reported as damage', async () => {
  const path = await writeExport({ 'tickets.jsonl': repeat('{"id": "a"}\n', 100) })
  await declareSize(path, 'tickets.jsonl', 12)
  await assert.rejects(readTickets(path), /tickets\.jsonl is damaged: too many bytes.*Download/)
  const cut = await writeExport({ 'tickets.jsonl': repeat('{"id":\n') })
  await assert.rejects(readTickets(cut), /tickets\.jsonl is damaged: .*JSON.*Download/)
  const none = await writeExport({ 'tickets.jsonl': repeat('null\n') })
  await assert.rejects(readTickets(none), /tickets\.jsonl is damaged: a line is not a record\. Download/)
})

test('a last record without the end of its line is read, too', async () => {
  async function* records(): AsyncGenerator<string> {
    yield '{"id": "a"}\n{"id": "b"}'
  }
  const rows = await readTickets(await writeExport({ 'tickets.jsonl': records() }))
  assert.deepEqual(rows, [{ id: 'a' }, { id: 'b' }])
})
