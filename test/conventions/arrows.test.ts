import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { complainUpward, folderOf, type Import, listCircular, type Ranks, readImports } from './imports.ts'
import { productCode, readSources } from './sources.ts'

/**
 * A file may import only from lower ranks, and never from another folder of its own rank. Files outside the
 * listed folders have the top rank.
 */

const ranks: Ranks = {
  core: 0,
  events: 1,
  limits: 1,
  audit: 1,
  mail: 1,
  projects: 2,
  users: 2,
  'custom-fields': 2,
  keys: 3,
  operators: 3,
  billing: 3,
  tags: 3,
  organizations: 3,
  words: 3,
  webhooks: 3,
  updates: 3,
  requests: 3,
  contacts: 4,
  live: 4,
  media: 4,
  knowledge: 4,
  conditions: 5,
  messages: 5,
  drafts: 6,
  outgoing: 6,
  tickets: 7,
  'first-steps': 8,
  notifications: 8,
  views: 8,
  'canned-answers': 8,
  search: 8,
  channels: 8,
  help: 8,
  exports: 8,
  reports: 8,
  imports: 9,
  'personal-data': 10,
  deletions: 8,
}
/**
 * The base folders, which every domain may use. All of their files are public except the private ones.
 */
const base = ['core', 'events', 'limits', 'audit', 'mail']
const privateFiles = ['api', 'dashboard', 'queries']

function isPublic(path: string): boolean {
  const domain = folderOf(ranks, path)
  const file = posix.basename(path, '.ts')
  if (base.includes(domain)) return !privateFiles.includes(file)
  return file === domain || file === 'schema'
}

function complain(one: Import): string | null {
  const { from, to } = one
  const [domain, other] = [from, to].map(path => folderOf(ranks, path))
  if (domain === other) return null
  if (domain === '') return to.endsWith('/queries.ts') ? `${from} imports the SQL of ${to}` : null
  const isAllowed = isPublic(to)
    ? null
    : `${from} may not import ${to}: it is not a public file of its domain`
  return complainUpward(ranks, one) ?? isAllowed
}

const imports = readImports(productCode, 'src/').filter(({ to }) => !to.startsWith('../vendor/'))

test('imports between domains point down and go to public files', () => {
  assert.deepEqual(imports.map(complain).filter(Boolean), [])
})

const emailFolderOf = (path: string): string => /^channels\/email\/([^/]+)\//.exec(path)?.[1] ?? ''

test('the folders of the email channel have no circular imports', () => {
  const arrows = imports
    .map(({ from, to }) => ({ from: emailFolderOf(from), to: emailFolderOf(to) }))
    .filter(({ from, to }) => from && to && from !== to)
  assert.ok(arrows.length > 0)
  assert.deepEqual(listCircular(arrows), [])
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
      name => !(name in ranks) && !['cli', 'importers', 'demo', 'backup', 'docs', 'doctor'].includes(name),
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

/** The dashboard: its folders are nouns, as on the server. */
const dashboardRanks: Ranks = {
  core: 0,
  events: 1,
  'rich-text': 1,
  users: 1,
  projects: 2,
  audit: 3,
  billing: 3,
  channels: 3,
  exports: 3,
  imports: 3,
  keys: 3,
  knowledge: 3,
  media: 3,
  operators: 3,
  'personal-data': 3,
  requests: 3,
  senders: 3,
  tags: 3,
  webhooks: 3,
  widget: 3,
  'custom-channels': 4,
  departments: 4,
  mailboxes: 4,
  presence: 4,
  'telegram-bots': 4,
  tickets: 4,
  views: 4,
  messages: 5,
  'first-steps': 5,
  'reply-mailboxes': 5,
  'canned-answers': 6,
  history: 6,
  contacts: 6,
  'mail-log': 6,
  today: 6,
  notifications: 6,
  'custom-fields': 7,
  organizations: 7,
  inbox: 7,
  account: 8,
  live: 8,
  settings: 9,
  shell: 10,
}

/** The website chat. */
const widgetRanks: Ranks = {
  loader: 0,
  'frame/core': 1,
  'frame/live': 2,
  'frame/session': 2,
  'frame/shell': 2,
  'frame/articles': 3,
  'frame/tickets': 3,
  'frame/messages': 4,
  'frame/home': 5,
}

/** What every folder may import: types generated from the API, and the messages between chat and website. */
const isShared = (path: string): boolean => path.endsWith('.d.ts') || path === 'protocol.ts'

/** Every folder may import query keys, which import only the core. */
const isQueryKeys = (path: string): boolean => path.endsWith('/query-keys.ts')

for (const [program, programRanks] of Object.entries({ dashboard: dashboardRanks, widget: widgetRanks })) {
  const base = `web/${program}/`
  const sources = readSources(`${base}**/*.{ts,tsx}`).filter(({ path }) => !path.endsWith('.d.ts'))
  const own = readImports(sources, base).filter(({ to }) => !to.startsWith('..') && !isShared(to))

  test(`imports between folders of the ${program} point down`, () => {
    assert.ok(own.length > 50)
    const found = own.filter(({ from, to }) => !isQueryKeys(to) || folderOf(programRanks, from) === 'core')
    assert.deepEqual(found.map(one => complainUpward(programRanks, one)).filter(Boolean), [])
    const ofKeys = own.filter(({ from, to }) => isQueryKeys(from) && !to.startsWith('core/'))
    assert.deepEqual(ofKeys, [])
  })

  test(`every folder of the ${program} has a rank`, () => {
    const paths = sources.map(({ path }) => path.slice(base.length))
    const unranked = paths.filter(path => path.includes('/') && folderOf(programRanks, path) === '')
    assert.deepEqual(
      unranked.filter(path => !/^frame\/[^/]+$/.test(path) && !path.startsWith('package/')),
      [],
    )
  })

  test(`no files of the ${program} import each other's values in a circle`, () => {
    assert.deepEqual(listCircular(own.filter(({ isLoaded }) => isLoaded)), [])
  })
}
