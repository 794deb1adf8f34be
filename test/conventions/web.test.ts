import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { auditActions } from '../../src/audit/actions.ts'
import { contactChange } from '../../src/contacts/schema.ts'
import { root } from '../../src/core/config/config.ts'
import { auditActions as words } from '../../web/dashboard/core/texts/en/audit-actions.ts'
import { listLiveKeys } from '../../web/dashboard/events/outdated-keys.ts'
import { readSources } from './sources.ts'

/**
 * Queries that no event invalidates. They are fetched again when a page that shows them opens or regains the
 * focus.
 */
const notFollowing = {
  'configuration by admins': [
    'automatic texts',
    'audit',
    'buckets',
    'canned answer',
    'canned answers',
    'custom fields',
    'departments',
    'exports',
    'image senders',
    'imports',
    'inbox settings',
    'keys',
    'knowledge',
    'knowledge article',
    'organization',
    'organizations',
    'sender choices',
    'reply mailboxes',
    'sender rules',
    'settings',
    'signing keys',
    'tags',
    'telegram texts',
    'webhooks',
    'widget',
  ],
  'polled, because fetching emits no events': [
    'arrived mail',
    'custom channels',
    'first steps',
    'mail log',
    'mailbox outages',
    'mailbox test',
    'mailboxes',
    'telegram bots',
    'telegram outages',
  ],
  'logs of calls and deliveries': ['deliveries', 'delivery', 'requests'],
  'only about the person': [
    'devices',
    'drafts',
    'link',
    'logins',
    'me',
    'passkeys',
    'recovery codes',
    'session',
    'sessions',
    'signature',
  ],
  'never change': ['chat start', 'email', 'email source', 'redirect uri'],
  'looked up in DNS': ['detected server'],
  'read when all rows are selected': ['ticket count'],
  'depend on typed words': ['addressees', 'emojis', 'found', 'known addresses', 'merge targets', 'preview'],
  'read while a dialog is open, and the deletion has no events': ['deletion', 'deletion preview'],
  'the same for everybody': ['event catalog', 'sign-in methods'],
}

/** Keys that two commands share, because they are never offered together. */
const sharedKeys = {
  '/': 'the searches of the inbox, the contacts and the organizations are on different pages',
  '!': 'a ticket either is spam or is not',
}

/** The dashboard's code. */
const sources = readSources('web/dashboard/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.d.ts'))
const styles = readSources('web/dashboard/**/*.css')

test('no file of the dashboard has more than 200 lines', () => {
  assert.ok(sources.length > 40)
  const long = [...sources, ...styles].filter(({ text }) => text.trimEnd().split('\n').length > 200)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

/** The numbers of lines of the declarations at the top level of a file. */
const measureDeclarations = (text: string): number[] =>
  text.split(/^(?=[\w/])/m).map(declaration => declaration.trimEnd().split('\n').length)

test('no component has more than 60 lines', () => {
  const all = [...sources, ...readSources('web/widget/**/*.tsx')].filter(({ path }) => path.endsWith('.tsx'))
  const long = all.filter(({ text }) => measureDeclarations(text).some(lines => lines > 60))
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('the core folder of the dashboard imports no other folder', () => {
  const core = sources.filter(({ path }) => path.startsWith('web/dashboard/core/'))
  const reaching = core.flatMap(({ path, text }) =>
    [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)]
      .map(([, first, second]) => posix.join(posix.dirname(path), first ?? second!))
      .filter(
        to =>
          !/^web\/dashboard\/(core\/|api\.d\.ts$)|^src\/(core\/text\/color|tickets\/system-texts)\.ts$/.test(
            to,
          ),
      )
      .map(to => `${path} imports ${to}`),
  )
  assert.deepEqual(reaching, [])
})

test('the dashboard requests nothing from other servers', () => {
  const code = sources.filter(({ path }) => !path.startsWith('web/dashboard/core/texts/'))
  const named = [...code, ...styles].filter(({ text }) => /https?:\/\/|@import|url\(/.test(text))
  assert.deepEqual(
    named.map(({ path }) => path),
    [],
  )
})

test('the built light-dark() colours work in both themes', () => {
  const built = globSync('web/dist/dashboard/assets/*.css', { cwd: root })
    .map(path => readFileSync(join(root, path), 'utf8'))
    .join('')
  const [used] = /var\(--lightningcss-(light|dark)\b/.exec(built) ?? []
  assert.equal(!used || /--lightningcss-light:\s*initial/.test(built), true, 'No rule sets color-scheme')
})

test('styles work in both reading directions', () => {
  const sided =
    /\b(?:margin|padding|border)-(?:left|right|top|bottom)\b|(?:^|[\s;{])(?:left|right):|text-align: (?:left|right)/
  assert.deepEqual(
    styles.filter(({ text }) => sided.test(text)).map(({ path }) => path),
    [],
  )
})

test('spreading props on an element does not overwrite its className', () => {
  // For example, a Mantine menu adds a class to its target.
  const spread = /className=(?:[^<>]|=>)*?\{\.\.\.(?:props|rest|others)\}/
  assert.deepEqual(
    sources.filter(({ text }) => spread.test(text)).map(({ path }) => path),
    [],
  )
})

test('every query follows the event log, or is listed with the reason why not', () => {
  const factories = sources.filter(({ path }) => path.endsWith('/query-keys.ts'))
  const names = factories.flatMap(({ text }) =>
    [...text.matchAll(/\bmakeKey\('([^']+)'/g)].map(([, name]) => name!),
  )
  const live = [...new Set(listLiveKeys('p').map(([name]) => name))]
  const listed = Object.values(notFollowing).flat()
  assert.deepEqual([...new Set(names)].sort(), [...live, ...listed].sort())
})

// The compiler accepts only keys of `makeKey` as query keys.
test('query keys are made only in the query-keys.ts of a noun', () => {
  const makers = sources.filter(({ text }) => /\bmakeKey\(|\bas (?:unknown as )?Key\b/.test(text))
  assert.ok(makers.length > 20)
  assert.deepEqual(
    makers.map(({ path }) => path).filter(path => !/\/query-keys\.ts$|\/core\/query-key\.ts$/.test(path)),
    [],
  )
})

/** Files that write to the query cache directly, with reasons. All others call `showSaved`. */
const cacheWriters = {
  'core/expected-data.ts':
    'shows what changes will make of the data; useChange cancels requests that began earlier',
  'core/query.ts': 'defines showSaved and useChange, which cancel requests that began earlier',
  'messages/cache.ts':
    'changes one message of a conversation, and the event of the change reloads that message',
  'messages/queries.ts': 'adds messages to a conversation; addMessages keeps those that it already has',
  'tickets/cache.ts':
    'changes one ticket in all lists, and repeats a request that may have begun before the change',
  'tickets/refresh-rows.ts':
    'puts the tickets that an event names into the lists, and repeats a request that may have begun before',
}

test('showSaved writes what the server has returned to the cache, so that an older response cannot replace it', () => {
  const writers = sources.filter(({ text }) => /\.setQuer(?:y|ies)Data\b/.test(text))
  assert.deepEqual(
    writers.map(({ path }) => path.replace('web/dashboard/', '')).sort(),
    Object.keys(cacheWriters).sort(),
  )
})

test('no two commands of the dashboard have the same key', () => {
  const keys = sources.flatMap(({ text }) => [...text.matchAll(/\bkeys: '([^']+)'/g)].map(([, key]) => key!))
  assert.ok(keys.length > 30)
  const shared = keys.filter((key, at) => keys.indexOf(key) < at)
  assert.deepEqual([...new Set(shared)].sort(), Object.keys(sharedKeys).sort())
  const sequences = keys.flatMap(key => (key.includes(' ') ? [key.split(' ')[0]!] : []))
  assert.deepEqual(
    keys.filter(key => sequences.includes(key)),
    [],
  )
})

test('the dashboard never writes to the console', () => {
  assert.deepEqual(
    sources.filter(({ text }) => /\bconsole\./.test(text)).map(({ path }) => path),
    [],
  )
})

test('every audit action has a text', () => {
  assert.deepEqual(Object.keys(words).sort(), [...auditActions].sort())
})

test('the dashboard allows the same length as the API for the name, the phone number and the note of a contact', () => {
  const source = readFileSync(join(root, 'web/dashboard/contacts/details.tsx'), 'utf8')
  const fields = [...source.matchAll(/maxLength=\{([\d_]+)\}\s+onSave=\{save\('(\w+)'\)\}/g)]
  const shown = Object.fromEntries(
    fields.map(([, length, field]) => [field, Number(length!.replace('_', ''))]),
  )
  const allowed = Object.entries(contactChange.properties).flatMap(([field, schema]) =>
    field in shown ? [[field, (schema as { maxLength?: number }).maxLength]] : [],
  )
  assert.equal(allowed.length, 3)
  assert.deepEqual(shown, Object.fromEntries(allowed))
})

test('every page of the settings and of an account is in a group of its list', () => {
  const read = (pattern: string) =>
    readSources(pattern)
      .map(({ text }) => text)
      .join('\n')
  const entries = [
    'web/dashboard/settings/*-pages.ts',
    'web/dashboard/settings/pages.ts',
    'web/dashboard/account/account-pages.ts',
  ]
    .map(read)
    .join('\n')
  const paths = [...entries.matchAll(/\bpath: '([\w-]+)'/g)].map(([, path]) => path!)
  const groups =
    read('web/dashboard/settings/page-groups.ts') + read('web/dashboard/account/account-layout.tsx')
  assert.ok(paths.length > 20)
  assert.deepEqual(
    paths.filter(path => !groups.includes(`'${path}'`)),
    [],
  )
})
