import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promises } from '../../bench/promises.ts'
import { printResults, readResults } from '../../bench/results.ts'
import { root } from '../../src/core/config/config.ts'

const results = Object.entries(readResults())

test('bench/RESULTS.md is up to date with bench/results.json', () => {
  const page = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8')
  assert.ok(page === printResults(), 'Run bin/bench results to update it')
})

test('every promise has a result', () => {
  const missing = Object.keys(promises).filter(id => !results.some(([known]) => known === id))
  assert.deepEqual(missing, [])
})

test('RESULTS.md has a row for every promise', () => {
  const rows = printResults().split('\n')
  assert.deepEqual(
    Object.keys(promises).filter(id => !rows.some(row => row.startsWith(`| ${id} |`))),
    [],
  )
})

test('every result belongs to a promise, and explains a miss', () => {
  for (const [id, { isKept, note, measured }] of results) {
    assert.ok(id in promises, `${id} is not in bench/promises.ts`)
    assert.ok(measured, `${id} has no measurement`)
    assert.ok(isKept || note, `${id} has no note why it is missed`)
  }
})

test('no result contains a path of the machine that measured it', () => {
  for (const [id, { command, measured, note = '' }] of results)
    for (const text of [command, measured, note]) assert.doesNotMatch(text, /(?:^|[\s`])\/\w+\//, id)
})

test('the command of every result exists', () => {
  for (const [id, { command }] of results) {
    const [program = '', ...words] = command.split(' ')
    const paths = program === 'npm' ? words.filter(word => word.includes('/')) : [program]
    for (const path of paths) assert.ok(existsSync(join(root, path)), `${id}: ${path} does not exist`)
    assert.ok(paths.length, `${id}: ${command} has no path`)
  }
})
