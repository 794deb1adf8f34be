import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSync, Visitor } from 'vite'
import { productCode, type Source } from './sources.ts'

/** The number of `x as T` in `src` stays below this. `as unknown as T` counts twice, `as const` is not a cast. */
const limit = 60

function listCasts({ path, text }: Source): string[] {
  const casts: string[] = []
  const note = (annotation: { start: number; end: number }) => {
    const type = text.slice(annotation.start, annotation.end).replaceAll(/\s+/g, ' ')
    const line = text.slice(0, annotation.start).split('\n').length
    if (type !== 'const') casts.push(`${path}:${line} as ${type}`)
  }
  new Visitor({
    TSAsExpression: ({ typeAnnotation }) => note(typeAnnotation),
    TSTypeAssertion: ({ typeAnnotation }) => note(typeAnnotation),
  }).visit(parseSync(path, text).program)
  return casts
}

test('the code without tests contains fewer casts than the limit, each for a type that cannot be written better', () => {
  const casts = productCode.flatMap(listCasts)
  assert.ok(
    casts.length < limit,
    `There are ${casts.length} casts; STYLE.md says what to write instead:\n${casts.join('\n')}`,
  )
})

test('both kinds of casts are counted, double casts twice, and `as const` not at all', () => {
  const text = 'const a = b as unknown as string\nconst c = <number>d\nconst e = [f as never] as const'
  assert.deepEqual(listCasts({ path: 'sample.ts', text }).sort(), [
    'sample.ts:1 as string',
    'sample.ts:1 as unknown',
    'sample.ts:2 as number',
    'sample.ts:3 as never',
  ])
})

test('no comment switches the type checker or the linter’s rule against `any` off', () => {
  const switches = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore[^\n]*noExplicitAny/
  assert.deepEqual(
    productCode.filter(({ text }) => switches.test(text)).map(({ path }) => path),
    [],
  )
})
