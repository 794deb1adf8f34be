import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDatabase } from '../database.ts'
import {
  clockExceptions,
  ctidExceptions,
  distributionExceptions,
  type ExceptionGroup,
  unusedStatements,
} from '../distribution/exceptions.ts'
import { type Judged, judgeAll } from '../distribution/judge-all.ts'
import { readRecordings } from '../distribution/recordings.ts'
import { startMailbox } from '../mailbox.ts'
import { startReceiver } from '../receiver.ts'
import { startServer } from '../server.ts'
import { callEverything } from './journey.ts'
import { readSources } from './sources.ts'
import { statements, tables, tablesOfProjects, templates, uniqueIndexes } from './statements.ts'

/**
 * Rows of a project can be stored apart by project (docs/operations.md), so each statement must give the project's parameter to
 * every table of a project. The plans of the statements that tests have run show whether it does. In a run of all tests, this file
 * runs last and judges the statements of all. On its own, it judges those that it causes itself, by the journey through the API.
 */

/** Whether every test has run before. If some have failed, the statements that they did not reach are reported, too. */
const isWhole = process.env.DESKBELL_TEST_WHOLE === 'true'

const database = await createDatabase({ max: 1 })
after(database.drop)

let judged: Judged[]
let used: Set<string>

async function runJourney(): Promise<void> {
  const [mailbox, receiver] = [await startMailbox(), await startReceiver()]
  const config = { smtpUrl: mailbox.url, mailFrom: 'Desk <desk@example.com>' }
  const server = await startServer({ config })
  await callEverything(server, receiver.url)
  await receiver.close()
  await server.close()
  await mailbox.close()
}

before(async () => {
  if (!isWhole) await runJourney()
  const recording = readRecordings(process.env.DESKBELL_TEST_STATEMENTS!)
  used = new Set(recording.templates)
  judged = await judgeAll(database.db, recording.statements)
})

const isIn = (groups: ExceptionGroup[], { path, text }: { path: string; text: string }): boolean =>
  groups.some(group =>
    group.statements.some(([file, begin]) => path === `src/${file}` && text.startsWith(begin)),
  )

const toTemplate = ({ path, source }: Judged) => ({ path, text: source })

const isListed = (one: Judged): boolean => isIn(distributionExceptions, toTemplate(one))

const advice = `Give the project's parameter to each table of each statement, also in sub-selects: \`= \${projectId}\`, not \`= t.project_id\`.
Must a statement read several projects? Then list it with its reason in test/distribution/exceptions.ts.`

const describe = ({ origin, text }: Judged, faults: string[]): string =>
  `${origin}: ${faults.join('; ')}\n    ${text.replaceAll(/\s+/g, ' ').trim()}`

/** The faults of each template once, although it may have many variants. */
function report(list: Judged[], faultsOf: (one: Judged) => string[]): string {
  const faulty = new Map(list.filter(one => faultsOf(one).length).map(one => [one.origin, one]))
  return [...faulty.values()].map(one => describe(one, faultsOf(one))).join('\n')
}

function assertNone(found: string, words: string): void {
  if (found) assert.fail(`\n${found}\n${words}`)
}

test('every statement gives the parameter of the project to every table of a project, or is listed with its reason', () => {
  assert.ok(judged.length > 200, `${judged.length} statements were recorded`)
  assertNone(
    report(judged, one => (isListed(one) ? [] : one.faults)),
    advice,
  )
})

test('no statement that writes reads the clock in case, coalesce, returning or on conflict', () => {
  assertNone(
    report(judged, one => (isListed(one) || isIn(clockExceptions, toTemplate(one)) ? [] : one.clockFaults)),
    'Choose the value before the statement, use least, or read the default of the column with excluded.',
  )
})

test('every listed statement still exists', () => {
  const all = [distributionExceptions, clockExceptions, ctidExceptions, unusedStatements].flat()
  const listed = all.flatMap(group => group.statements)
  assert.deepEqual(
    listed.filter(
      ([file, begin]) =>
        !templates.some(({ path, text }) => path === `src/${file}` && text.startsWith(begin)),
    ),
    [],
  )
})

if (isWhole) {
  test('every listed statement is still an exception', () => {
    const isExceptional = (one: Judged): boolean => one.faults.length + one.clockFaults.length > 0
    const isStale = ([file, begin]: [string, string]): boolean => {
      const found = judged.filter(({ path, source }) => path === `src/${file}` && source.startsWith(begin))
      return found.length > 0 && !found.some(isExceptional)
    }
    assert.deepEqual(
      distributionExceptions.flatMap(group => group.statements).filter(isStale),
      [],
      'Remove these from test/distribution/exceptions.ts',
    )
  })

  test('every statement on a table of a project is run by a test, or is listed with its reason', () => {
    const unused = statements.filter(one => !used.has(one.origin) && !isIn(unusedStatements, one))
    assertNone(
      unused.map(({ origin, text }) => `${origin}: ${text}`).join('\n'),
      'No test runs these, so nothing checks them. Write a test, or list them in test/distribution/exceptions.ts.',
    )
  })
} else {
  test('judges only the statements of the journey and of the tests before it; npm test judges all', t => {
    t.diagnostic(`${judged.length} statements were judged`)
  })
}

test('no statement on several projects finds rows by ctid, which is unique only on one machine', () => {
  assertNone(
    report(judged, one =>
      one.faults.length && /\bctid\b/.test(one.text) && !isIn(ctidExceptions, toTemplate(one))
        ? ['it uses ctid']
        : [],
    ),
    'Find the rows by project_id and id.',
  )
})

test('there are no new triggers, which run where the row is', () => {
  const [schema] = readSources('migrations/schema.sql')
  const triggers = [...schema!.text.matchAll(/^CREATE (?:CONSTRAINT )?TRIGGER (\w+)/gm)].map(
    ([, name]) => name,
  )
  assert.deepEqual(triggers.sort(), knownTriggers)
})

const knownTriggers = [
  'accounts_keep',
  'article_translations_search',
  'article_translations_search_again',
  'audit_entries_keep',
  'balance_entries_book',
  'balance_entries_keep',
  'canned_answers_search_again',
  'contacts_search',
  'contacts_search_again',
  'exports_deleted',
  'incoming_mails_deleted',
  'media_deleted',
  'messages_origin',
  'messages_search',
  'messages_search_again',
  'outgoing_emails_deleted',
  'project_counters_count',
  'receipts_keep',
  'ticket_activity_copies',
  'tickets_copies',
  'tickets_merged',
  'tickets_search',
  'tickets_search_again',
]
/** Rows found by a globally unique value. They stay on one node, or are copied to every node. */
const together = new Set([
  'api_keys',
  'buckets',
  'links',
  'mailbox_addresses',
  'payments',
  'receipts',
  'subscriptions',
  'telegram_bot_owners',
])

const uniqueKeys = tables.flatMap(({ name, lines }) =>
  lines
    .map(line => /^constraint (\w+) (?:PRIMARY KEY|UNIQUE)(?: NULLS NOT DISTINCT)? \((.*)\)/.exec(line))
    .filter(found => found !== null)
    .map(([, key, columns]) => ({ name: key!, table: name, columns: columns! })),
)

test('every unique key of a table of projects starts with project_id', () => {
  const all = [...uniqueKeys, ...uniqueIndexes].filter(({ table }) => tablesOfProjects.has(table))
  assert.ok(all.length > 50)
  assert.deepEqual(
    all
      .filter(({ table, columns }) => !columns.startsWith('project_id') && !together.has(table))
      .map(({ name, columns }) => `${name}: ${columns}`),
    [],
  )
})

test('every foreign key between tables of projects includes project_id', () => {
  const references = tables
    .filter(({ name }) => tablesOfProjects.has(name))
    .flatMap(({ lines }) => lines.filter(line => line.includes('FOREIGN KEY')))
    .map(line => ({ line, target: /REFERENCES (\w+)/.exec(line)![1]! }))
    .filter(({ target }) => tablesOfProjects.has(target) && !together.has(target))
  assert.ok(references.length > 30)
  assert.deepEqual(
    references.filter(({ line }) => !/FOREIGN KEY \(project_id[,)]/.test(line)).map(({ line }) => line),
    [],
  )
})
