import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { productCode, type Source } from './sources.ts'

/**
 * Names must be understandable to strangers: an exported name has one meaning, and invented terms do not
 * return.
 */

interface Exported {
  name: string
  path: string
  /** The declaration up to its body. */
  head: string
}

const declaration =
  /^export (?:declare )?(?:async )?(?:(?:const|let|function\*?|class|interface|type|enum) (?<name>\w+)|const \{(?<parts>[^}]*)\} =)/gm

function listExported({ path, text }: Source): Exported[] {
  return [...text.matchAll(declaration)].flatMap(({ groups, index }) => {
    const names = groups!.name
      ? [groups!.name]
      : groups!.parts!.split(',').map(part => part.split(':').at(-1)!)
    const head = text.slice(index, index + 400).split(/=>|\{\n|`/)[0]!
    return names.map(name => ({ name: name.trim(), path, head }))
  })
}

const exported = productCode.flatMap(listExported)

/** Names with two meanings, and the reason for each. */
const twoMeanings: Record<string, string> = {}

test('each exported name is exported by one file only', () => {
  const paths = Map.groupBy(exported, ({ name }) => name)
  const repeated = [...paths]
    .map(([name, all]) => [name, [...new Set(all.map(({ path }) => path))]] as const)
    .filter(([, all]) => all.length > 1)
  assert.ok(exported.length > 1_000)
  assert.deepEqual(
    repeated.filter(([name]) => !Object.hasOwn(twoMeanings, name)),
    [],
  )
  assert.deepEqual(
    repeated.map(([name]) => name).filter(name => Object.hasOwn(twoMeanings, name)),
    Object.keys(twoMeanings).sort(),
  )
})

const verbs = /^(?:find|get|list|insert|update|delete|count|lock|has|is)(?=[A-Z]|$)/

/** Query functions without one of these verbs, and the reason for each. */
const otherVerbs: Record<string, string> = {
  allowDeletion: 'sets a parameter of the transaction, and reads or writes no row',
}

/** Fragments of a statement are named after their content, not with a verb. */
const isSqlPart = ({ head }: Exported): boolean =>
  /: (?:Fragment|Fragment\[\]|WaitingWork)(?: =|\s*$)/.test(head)
const isFunction = ({ head }: Exported): boolean =>
  /^export (?:async )?function/.test(head) || /^export const \w+ = (?:async )?(?:<[^(]*>)?\(/.test(head)

test('a function in a queries file starts with find, get, list, insert, update, delete, count, lock, has or is', () => {
  const functions = exported.filter(one => /(?:^|[/-])queries\.ts$/.test(one.path) && isFunction(one))
  assert.ok(functions.length > 150)
  const others = functions.filter(one => !verbs.test(one.name) && !isSqlPart(one)).map(({ name }) => name)
  assert.deepEqual(others.sort(), Object.keys(otherVerbs))
})

/**
 * Metaphors and invented terms. The standard terms are quota, hub, credential, notifier, timeout and so on.
 */
const dialect = new Set(
  `bell bells crowd courtesy door doomed farewell feed feeds hall hearing leap linger lingering mistake noted patience
  pruned ringing rung seat seats standing sweep sweeping told
  fewest largest longest most shortest smallest`.split(/\s+/),
)

/** Names that contain one of these words anyway, and the reason for each. */
const kept: Record<string, string> = {}

const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())

test('no file name and no exported name contains an invented term', () => {
  const files = productCode.map(({ path }) => posix.basename(path, '.ts'))
  const names = new Set([...files, ...exported.map(({ name }) => name)])
  const found = [...names].filter(name => wordsOf(name).some(word => dialect.has(word)))
  assert.deepEqual(found.sort(), Object.keys(kept))
})
