import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { NoSources, readSources } from './sources.ts'

/** A folder with `a.md` and `sub/b.md`, which everybody may read. */
function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sources '))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'sub'))
  for (const file of ['a.md', 'sub/b.md']) writeFileSync(join(folder, file), file)
  return folder
}

/** Root can read everything, so the work runs as another user. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid!() !== 0) return work()
  process.seteuid!(65_534)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

test('a folder that cannot be read is reported, and the others are read', async context => {
  const folder = makeFolder(context)
  chmodSync(join(folder, 'sub'), 0)
  const { files, failed } = await asNobody(() => readSources(folder))
  assert.deepEqual(
    files.map(({ file }) => file),
    ['a.md'],
  )
  assert.deepEqual(failed, [{ file: 'sub', line: null, error: 'cannot be read (EACCES)' }])
})

test('nothing is imported if the top folder cannot be read', async context => {
  const folder = makeFolder(context)
  chmodSync(folder, 0)
  await assert.rejects(
    asNobody(() => readSources(folder)),
    (error: Error) => error instanceof NoSources && error.message.endsWith('cannot be read (EACCES)'),
  )
})

test('a symbolic link to a folder is followed if it is the path to import', async context => {
  const folder = makeFolder(context)
  const link = `${folder} link`
  symlinkSync(folder, link)
  context.after(() => rmSync(link))
  const { files } = await readSources(link)
  assert.deepEqual(
    files.map(({ file }) => file),
    ['a.md', 'sub/b.md'],
  )
})
