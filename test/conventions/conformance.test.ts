import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notYet, rules } from './rules.ts'
import { readSources } from './sources.ts'

/** The rules of the specification are listed in `rules.ts`. Each has a test whose title starts with it. */

const names = readSources('src/**/*.test.ts', 'test/**/*.test.ts').flatMap(({ path, text }) =>
  [...text.matchAll(/^ *test\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gms)].map(([, , name]) => ({
    path,
    name: name!,
  })),
)

/** For example, `spec 2.3, spec 8 webhook attempts: …` covers two rules. */
const tagsOf = (name: string): string[] => name.split(': ')[0]!.split(', ')

const tagged = names.filter(({ name }) => /^(?:spec\b|\d+\.\d)/i.test(name))

test('every listed rule has a test with its name in the title', () => {
  const held = new Set(tagged.flatMap(({ name }) => tagsOf(name)))
  assert.ok(names.length > 1_000)
  assert.deepEqual(
    rules.filter(rule => !held.has(rule)),
    [],
  )
})

test('a test title that names the specification names listed rules, followed by a description', () => {
  const wrong = tagged.filter(
    ({ name }) => !name.includes(': ') || tagsOf(name).some(tag => !rules.includes(tag)),
  )
  assert.deepEqual(wrong, [])
})

test('no rule is listed twice, or both as built and as not yet built', () => {
  const all = [...rules, ...notYet]
  assert.deepEqual(
    all.filter((rule, at) => all.indexOf(rule) !== at),
    [],
  )
})
