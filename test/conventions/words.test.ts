import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productCode } from './sources.ts'

const linesWith = (pattern: RegExp, except: string[] = []): string[] =>
  productCode
    .filter(({ path }) => !except.includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    )

test('the product logs through its logger and prints through stdout, never through console', () => {
  assert.deepEqual(linesWith(/\bconsole\./), [])
})

test('no name contains Service, Manager, Helper, Util, Common or Base, or starts with handle', () => {
  const name =
    /\b(?:function|class|const|interface|type) (?:\w*(?:Service|Manager|Helper|Utils?|Common|Base)|handle[A-Z]\w*)\b/
  assert.deepEqual(linesWith(name), [])
})

test('no comment is a TODO', () => {
  assert.deepEqual(linesWith(/\b(?:TODO|FIXME|XXX|HACK)\b/), [])
})

test('only core/config/config.ts reads the environment', () => {
  assert.deepEqual(linesWith(/process\.env/, ['src/core/config/config.ts']), [])
})
