import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notYet, rules } from './rules.ts'
import { readSources } from './sources.ts'

/** Which test holds which rule of the specification: `rules.ts` lists them, and names of tests begin with them. */

const names = readSources('src/**/*.test.ts', 'test/**/*.test.ts').flatMap(({ path, text }) =>
  [...text.matchAll(/^ *test\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gms)].map(([, , name]) => ({
    path,
    name: name!,
  })),
)

/** `spec 2.3, spec 8 webhook attempts: …` holds two. */
const tagsOf = (name: string): string[] => name.split(': ')[0]!.split(', ')

const tagged = names.filter(({ name }) => /^(?:spec\b|\d+\.\d)/i.test(name))

test('every rule of the list is held by a test whose name says so', () => {
  const held = new Set(tagged.flatMap(({ name }) => tagsOf(name)))
  assert.ok(names.length > 1_000)
  assert.deepEqual(
    rules.filter(rule => !held.has(rule)),
    [],
  )
})

test('a test that names the specification names rules of the list, and says in words what it holds', () => {
  const wrong = tagged.filter(
    ({ name }) => !name.includes(': ') || tagsOf(name).some(tag => !rules.includes(tag)),
  )
  assert.deepEqual(wrong, [])
})

test('no rule stands in the list twice, or among those of parts that are not built', () => {
  const all = [...rules, ...notYet]
  assert.deepEqual(
    all.filter((rule, at) => all.indexOf(rule) !== at),
    [],
  )
})
