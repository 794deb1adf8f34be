import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { briefs, codes, dashboardCodes, visitorCodes } from '../../src/core/errors.ts'
import { dashboardReasonTexts, reasonTexts } from '../../src/core/reasons.ts'
import { productCode, readSources } from './sources.ts'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const code = productCode.filter(({ path }) => !path.startsWith('src/docs/') && path !== 'src/core/errors.ts')
const tests = readSources('src/**/*.test.ts', 'test/**/*.test.ts')

/** The code that throws errors. The api.ts files only list the errors of an operation. */
const throwing = code.filter(({ path }) => !path.endsWith('/api.ts'))
const isThrown = (name: string): boolean => throwing.some(({ text }) => text.includes(`'${name}'`))

test('every error code and every brief text is documented in docs/errors.md', () => {
  const texts = [...Object.keys(codes), ...Object.values(briefs).map(([, text]) => text)]
  assert.deepEqual(
    texts.filter(text => !page.includes(`\`${text}\``)),
    [],
  )
})

test('every error is thrown somewhere', () => {
  assert.deepEqual(
    [...Object.keys(codes), ...Object.keys(briefs)].filter(name => !isThrown(name)),
    [],
  )
})

test('every error code is tested', () => {
  const isTested = (name: string) => tests.some(({ text }) => text.includes(`'${name}'`))
  assert.deepEqual(
    Object.keys({ ...codes, ...dashboardCodes, ...visitorCodes }).filter(name => !isTested(name)),
    [],
  )
})

test('every reason of VALIDATION_ERROR is documented, and no other', () => {
  const found = throwing.flatMap(({ text }) => [
    ...[...text.matchAll(/\brefuse\(\s*[^,()]+,\s*'(\w+)'/g)].map(([, reason]) => reason!),
    ...[...text.matchAll(/'VALIDATION_ERROR', \{[^}]*reason: '(\w+)'/g)].map(([, reason]) => reason!),
  ])
  const documented = Object.keys({ ...reasonTexts, ...dashboardReasonTexts })
  assert.deepEqual([...new Set(found)].sort(), documented.sort())
})
