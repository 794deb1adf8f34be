import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCircular, readImports } from './imports.ts'
import { productCode } from './sources.ts'

const imports = readImports(productCode, 'src/')

test('no file of src imports itself through other files', () => {
  assert.ok(imports.length > 500)
  assert.deepEqual(listCircular(imports.filter(({ isLoaded }) => isLoaded)), [])
})

test('the main file of a domain either only exports from its other files, or exports nothing from them', () => {
  const exports = /^export (?:type )?\{[^}]*\} from [^\n]*\n/gm
  const mixed = productCode.filter(({ path, text }) => {
    const [domain, file] = path.split('/').slice(-2)
    const own = text.replaceAll(exports, '').replaceAll(/\/\*\*.*?\*\//gs, '')
    return file === `${domain}.ts` && text.match(exports) && own.trim()
  })
  assert.deepEqual(
    mixed.map(({ path }) => path),
    [],
  )
})

test('the rest of src uses only the main file of tickets/search, which decides how lists and searches are planned', () => {
  const folder = 'tickets/search/'
  const reaching = imports.filter(({ from, to }) => to.startsWith(folder) && !from.startsWith(folder))
  assert.ok(reaching.length > 0)
  assert.deepEqual(new Set(reaching.map(({ to }) => to)), new Set([`${folder}search.ts`]))
})
