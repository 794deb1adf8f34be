import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promises } from '../../bench/promises.ts'
import { printResults, readResults } from '../../bench/results.ts'
import { root } from '../../src/core/config.ts'

const results = Object.entries(readResults())

test('bench/RESULTS.md is the page of bench/results.json', () => {
  const page = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8')
  assert.ok(page === printResults(), 'Run bin/bench results, which prints it anew')
})

test('every promise has a result', () => {
  const missing = Object.keys(promises).filter(id => !results.some(([known]) => known === id))
  assert.deepEqual(missing, [])
})

test('a result is of a promise, and one that misses it says why', () => {
  for (const [id, { isKept, note, measured }] of results) {
    assert.ok(id in promises, `${id} is no promise of bench/promises.ts`)
    assert.ok(measured, `${id} shows nothing`)
    assert.ok(isKept || note, `${id} is missed without a reason`)
  }
})

test('the command of a result can be run', () => {
  for (const [id, { command }] of results) {
    const [program = '', ...words] = command.split(' ')
    const paths = program === 'npm' ? words.filter(word => word.includes('/')) : [program]
    for (const path of paths) assert.ok(existsSync(join(root, path)), `${id}: ${path} is not there`)
    assert.ok(paths.length, `${id}: ${command} names no program`)
  }
})
