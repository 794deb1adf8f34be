import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, root, settingReference } from '../../src/core/config/config.ts'
import { productCode } from './sources.ts'

test('docs/config.md has a section for every setting', () => {
  const page = readFileSync(join(root, 'docs/config.md'), 'utf8')
  assert.deepEqual(
    settingReference.filter(({ name }) => !page.includes(`\n## ${name}\n`)),
    [],
  )
})

test('every setting has a description and an example', () => {
  assert.deepEqual(
    settingReference.filter(({ about, example }) => about.length < 20 || example === ''),
    [],
  )
})

test('every setting is used', () => {
  const users = productCode.filter(({ path }) => path !== 'src/core/config/config.ts')
  const isUsed = (key: string) => users.some(({ text }) => new RegExp(`\\b${key}\\b`).test(text))
  assert.deepEqual(
    Object.keys(readConfig({})).filter(key => !isUsed(key)),
    [],
  )
})
