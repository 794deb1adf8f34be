import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statements, tables, tablesOfProjects, uniqueIndexes } from './statements.ts'

/**
 * Rows of a project can be stored apart by project (docs/operations.md), so each statement names project_id
 * or is listed here with its reason.
 */

/** The condition on the project comes from a fragment that is defined elsewhere. */
const inParts = [
  ['webhooks/delivery-queries.ts', '( select {shared(sql)}'],
  ['messages/queries.ts', 'select count(*)::int as count from (select from messages m where {where}'],
  ['contacts/queries.ts', 'select count(*)::int as count from (select from contacts c where {where}'],
  [
    'canned-answers/queries.ts',
    'select {known(sql)}, left(content, {excerptLength}) as excerpt from canned_answers where {isSeen(sql, reader)}',
  ],
  [
    'canned-answers/queries.ts',
    'select {columns(sql)} from canned_answers where {isSeen(sql, reader)} and id = {id}',
  ],
  [
    'canned-answers/queries.ts',
    'select {columns(sql)} from canned_answers where {isSeen(sql, reader)} and id = {id} for update',
  ],
  ['audit/queries.ts', 'select e.id, e.created_at as sort_value'],
  ['audit/queries.ts', 'select count(*)::int as count from (select from audit_entries e where {where}'],
  ['requests/queries.ts', 'select r.id from api_requests r where {where} order by r.id desc offset'],
  ['channels/email/log/mail-log-queries.ts', 'select i.id, i.created_at as sort_value'],
  [
    'channels/email/log/mail-log-queries.ts',
    'select count(*)::int as count from (select from incoming_mails i where {where}',
  ],
]

/** Delete old rows or take up work for all projects. */
const sweeps = [
  ['webhooks/cleanup-queries.ts', 'delete from webhook_deliveries where ctid'],
  ['users/expired-rows.ts', 'delete from links'],
  ['requests/queries.ts', 'delete from api_requests'],
  ['media/stray-objects.ts', 'delete from media'],
  ['live/queries.ts', 'select s.stream from unnest('],
  ['exports/queries.ts', 'delete from exports'],
  ['channels/widget/queries.ts', 'delete from visitors where ctid'],
  ['channels/widget/old-visitors.ts', 'delete from visitor_tabs'],
]

/**
 * Statements about the whole installation: a person across projects, rows found by a globally unique key, and
 * the command line.
 */
const installationWide = [
  ['first-start.ts', 'select id from projects where not exists (select from api_keys'],
  ['users/links.ts', 'select {columns(sql, hash)}, used_at is not null'],
  ['users/links.ts', 'update links set mailed_hash'],
  ['users/links.ts', 'update links set used_at'],
  ['operators/me.ts', 'update operators set avatar_url'],
  ['operators/people-queries.ts', 'update operators set name'],
  ['media/buckets.ts', 'select * from buckets where id'],
  ['channels/email/automatic/automatic-queries.ts', 'select from mailbox_addresses where address'],
  ['channels/telegram/bots/queries.ts', 'select from telegram_bot_owners where telegram_id'],
  ['demo/remove.ts', 'delete from users u'],
  ['billing/payments.ts', 'select * from payments where order_id'],
  ['billing/plans.ts', 'delete from plans'],
  ['backup/queries.ts', 'select storage_key from ( select storage_key from media'],
]

const listed = [...inParts, ...sweeps, ...installationWide].map(([path, text]) => ({
  path: `src/${path}`,
  text: text!,
}))

const nameless = statements.filter(({ text }) => !/project_?id/i.test(text))

test('every statement on tables of projects names project_id, or is listed with its reason', () => {
  assert.ok(statements.length > 300)
  assert.deepEqual(
    nameless
      .filter(one => !listed.some(({ path, text }) => one.path === path && one.text.startsWith(text)))
      .map(({ path, text }) => `${path}: ${text}`),
    [],
  )
})

test('every listed statement still exists', () => {
  assert.deepEqual(
    listed.filter(({ path, text }) => !nameless.some(one => one.path === path && one.text.startsWith(text))),
    [],
  )
})

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
