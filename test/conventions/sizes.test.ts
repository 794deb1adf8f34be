import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from './sources.ts'

/** Biome limits the length of functions; this test limits that of files. */

const limitOf = (path: string): number => (path.endsWith('.test.ts') || path.startsWith('test/') ? 300 : 200)

test('no file has more than 200 lines, and no test file more than 300', () => {
  const files = readSources('src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'bin/*')
  const lengths = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
  assert.ok(lengths.length > 50)
  assert.deepEqual(
    lengths.filter(({ path, lines }) => lines > limitOf(path)),
    [],
  )
})
