import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { briefs, codes, dashboardCodes, visitorCodes } from '../../src/core/errors.ts'
import { dashboardReasonTexts, reasonTexts } from '../../src/core/reasons.ts'
import { productCode, readSources } from './sources.ts'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const code = productCode.filter(({ path }) => !path.startsWith('src/docs/') && path !== 'src/core/errors.ts')
const tests = readSources('src/**/*.test.ts', 'test/**/*.test.ts')

/** Where an error is made, and not only listed among the errors of an operation. */
const making = code.filter(({ path }) => !path.endsWith('/api.ts'))
const isMade = (name: string): boolean => making.some(({ text }) => text.includes(`'${name}'`))

test('every error code and every brief text is documented in docs/errors.md', () => {
  const texts = [...Object.keys(codes), ...Object.values(briefs).map(([, text]) => text)]
  assert.deepEqual(
    texts.filter(text => !page.includes(`\`${text}\``)),
    [],
  )
})

test('every error is made somewhere', () => {
  assert.deepEqual(
    [...Object.keys(codes), ...Object.keys(briefs)].filter(name => !isMade(name)),
    [],
  )
})

test('every error code is reached by some test', () => {
  const isTested = (name: string) => tests.some(({ text }) => text.includes(`'${name}'`))
  assert.deepEqual(
    Object.keys({ ...codes, ...dashboardCodes, ...visitorCodes }).filter(name => !isTested(name)),
    [],
  )
})

test('every reason of VALIDATION_ERROR is documented, and no other', () => {
  const found = making.flatMap(({ text }) => [
    ...[...text.matchAll(/\brefuse\(\s*[^,()]+,\s*'(\w+)'/g)].map(([, reason]) => reason!),
    ...[...text.matchAll(/'VALIDATION_ERROR', \{[^}]*reason: '(\w+)'/g)].map(([, reason]) => reason!),
  ])
  const documented = Object.keys({ ...reasonTexts, ...dashboardReasonTexts })
  assert.deepEqual([...new Set(found)].sort(), documented.sort())
})
