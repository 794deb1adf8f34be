import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { productCode } from './sources.ts'

/** What a file imports for use at run time. Types are erased, so they may be circular. */
const imports = new Map(
  productCode.map(({ path, text }) => {
    const found = text.matchAll(/^(?:import|export) (?!type )([^;'"]*?)from '(\.[^']+)'/gm)
    const used = [...found].filter(([, names]) => !/^\{(?:\s*type \w+( as \w+)?,?)+\s*\} $/.test(names!))
    return [path, used.map(([, , name]) => posix.join(posix.dirname(path), name!))]
  }),
)

/** The files on a circle: those that remain when files without imports are removed again and again, from both ends. */
function listCircular(): string[] {
  let left = [...imports].flatMap(([from, targets]) => targets.map(to => ({ from, to })))
  for (let before = -1; left.length !== before; ) {
    before = left.length
    const importing = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    left = left.filter(({ from, to }) => importing.has(to) && imported.has(from))
  }
  return left.map(({ from, to }) => `${from} imports ${to}`)
}

test('no file of src imports itself through other files', () => {
  assert.ok(imports.size > 500)
  assert.deepEqual(listCircular(), [])
})

test('the main file of a domain either only exports from its other files, or exports nothing from them', () => {
  const mixed = productCode.filter(({ path, text }) => {
    const [domain, file] = path.split('/').slice(-2)
    const exports = /^export (?:type )?\{[^}]*\} from [^\n]*\n/gm
    return (
      file === `${domain}.ts` &&
      text.match(exports) &&
      text
        .replaceAll(exports, '')
        .replaceAll(/\/\*\*.*?\*\//gs, '')
        .trim()
    )
  })
  assert.deepEqual(
    mixed.map(({ path }) => path),
    [],
  )
})

test('the rest of src uses only the main file of tickets/search, which decides how lists and searches are planned', () => {
  const folder = 'src/tickets/search/'
  const uses = [...imports].flatMap(([from, targets]) => targets.map(to => ({ from, to })))
  const reaching = uses.filter(({ from, to }) => to.startsWith(folder) && !from.startsWith(folder))
  assert.ok(reaching.length > 0)
  assert.deepEqual(new Set(reaching.map(({ to }) => to)), new Set([`${folder}search.ts`]))
})
