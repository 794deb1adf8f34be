import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from './sources.ts'

/** Biome limits the length of functions; these tests limit that of files, and the files in `src/core` outside its folders. */

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

test('at most 30 files are in src/core outside its folders', () => {
  const files = readSources('src/core/*.ts').filter(({ path }) => !path.endsWith('.test.ts'))
  assert.ok(files.length > 10)
  assert.ok(files.length <= 30, files.map(({ path }) => path).join(' '))
})
