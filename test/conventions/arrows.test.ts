import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { productCode } from './sources.ts'

/**
 * A file may import only from lower ranks, and never from another folder of its own rank. Files outside the
 * domain folders have the top rank.
 */

const ranks: Record<string, number> = {
  core: 0,
  events: 1,
  limits: 1,
  audit: 1,
  mail: 1,
  projects: 2,
  users: 2,
  keys: 3,
  operators: 3,
  billing: 3,
  tags: 3,
  'custom-fields': 3,
  words: 3,
  webhooks: 3,
  updates: 3,
  requests: 3,
  contacts: 4,
  live: 4,
  media: 4,
  knowledge: 4,
  messages: 5,
  drafts: 6,
  outgoing: 6,
  tickets: 7,
  views: 8,
  'canned-answers': 8,
  search: 8,
  channels: 8,
  help: 8,
  exports: 8,
  deletions: 8,
}
const top = 9

/**
 * The base folders, which every domain may use. All of their files are public except the private ones.
 */
const base = ['core', 'events', 'limits', 'audit', 'mail']
const privateFiles = ['api', 'dashboard', 'queries']

const domainOf = (path: string): string => {
  const [folder = '', ...rest] = path.split('/')
  return rest.length && folder in ranks ? folder : ''
}
const rankOf = (path: string): number => ranks[domainOf(path)] ?? top

function isPublic(path: string): boolean {
  const domain = domainOf(path)
  const file = posix.basename(path, '.ts')
  if (base.includes(domain)) return !privateFiles.includes(file)
  return file === domain || file === 'schema'
}

function complain(from: string, to: string): string | null {
  if (domainOf(from) === domainOf(to)) return null
  if (rankOf(from) === top) return to.endsWith('/queries.ts') ? `${from} imports the SQL of ${to}` : null
  if (rankOf(to) >= rankOf(from)) return `${from} may not import ${to}: arrows point down`
  return isPublic(to) ? null : `${from} may not import ${to}: it is not a public file of its domain`
}

const imports = productCode.flatMap(({ path, text }) => {
  const from = path.slice('src/'.length)
  const found = [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)]
  return found
    .map(([, first, second]) => ({ from, to: posix.join(posix.dirname(from), first ?? second!) }))
    .filter(({ to }) => !to.startsWith('../vendor/'))
})

test('imports between domains point down and go to public files', () => {
  assert.deepEqual(imports.map(({ from, to }) => complain(from, to)).filter(Boolean), [])
})

const emailFolderOf = (path: string): string => /^channels\/email\/([^/]+)\//.exec(path)?.[1] ?? ''

test('the folders of the email channel have no circular imports', () => {
  const arrows = imports
    .map(({ from, to }) => ({ from: emailFolderOf(from), to: emailFolderOf(to) }))
    .filter(({ from, to }) => from && to && from !== to)
  let left = arrows
  for (let before = -1; left.length !== before; ) {
    before = left.length
    const importing = new Set(left.map(({ from }) => from))
    left = left.filter(({ to }) => importing.has(to))
  }
  assert.ok(arrows.length > 0)
  assert.deepEqual(new Set(left.map(({ from, to }) => `${from} imports ${to}`)), new Set())
})

test('product code imports nothing from the tests', () => {
  assert.deepEqual(
    imports.filter(({ to }) => to.startsWith('..') && !to.endsWith('package.json')),
    [],
  )
})

test('every folder of src has a rank', () => {
  const folders = new Set(
    productCode.map(({ path }) => path.split('/')[1]!).filter(name => !name.endsWith('.ts')),
  )
  assert.deepEqual(
    [...folders].filter(
      name => !(name in ranks) && !['cli', 'demo', 'backup', 'docs', 'doctor'].includes(name),
    ),
    [],
  )
})

/** What a file loads with itself. Type imports are erased, and `import()` loads later. */
const loads = new Map(
  productCode.map(({ path, text }) => {
    const named = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'/gm)]
    return [
      path,
      named
        .map(([, first, second]) => first ?? second!)
        .map(name => ({
          name,
          path: name.startsWith('.') ? posix.join(posix.dirname(path), name) : null,
        })),
    ]
  }),
)

function listLoaded(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const { name, path: next } of loads.get(path) ?? []) next ? listLoaded(next, seen) : seen.add(name)
  return seen
}

// They are 700 modules, twice as many as the rest, and every command would wait for them.
test('the command line loads no request validation', () => {
  const loaded = listLoaded('src/cli/main.ts')
  assert.ok(loaded.has('pino'))
  assert.deepEqual(
    [...loaded].filter(name => /^(typebox|ajv)\b/.test(name)),
    [],
  )
})
