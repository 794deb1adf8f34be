import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Desk, openDesk } from '../../test/desk.ts'
import { type MarkedPerson, markPerson } from '../../test/personal-data.ts'
import { gatherWords } from '../../test/questions/gather.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { findTablesWith, listEntriesWith, listFilesWith } from '../../test/traces.ts'
import { writeBackup } from '../backup/backup.ts'
import { writeExports } from '../exports/project-exports.ts'
import { createStorages } from '../media/media.ts'
import { continueDataDeletions } from './personal-data.ts'

/** A deleted contact leaves no trace in the database, the storage, the search or a later backup. */

/** A word of letters only, so that the search index contains it. */
const newMarker = () => [...randomBytes(14)].map(byte => String.fromCharCode(97 + (byte % 26))).join('')

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const runDeletions = async () => {
  const deps = { ...server, storages: createStorages(server) }
  while ((await continueDataDeletions(deps, server.acme.id)) > 0);
}

/** Tables of projects that contain no data of a contact, by reason. */
const withoutPersonalData: Record<string, string[]> = {
  'What the project itself has written or set': [
    ...['api_keys', 'article_translations', 'articles', 'buckets', 'canned_answers', 'categories'],
    ...['category_translations', 'custom_channels', 'custom_fields', 'departments', 'dkim_keys', 'links'],
    ...['mailbox_addresses', 'mailbox_folders', 'mailbox_probes', 'mailbox_sign_ins', 'mailboxes'],
    ...['reply_mailboxes', 'saved_views', 'tag_changes', 'tags', 'telegram_bot_owners', 'telegram_bot_rates'],
    ...[
      'organizations',
      'organization_domains',
      'telegram_bots',
      'webhooks',
      'widgets',
      'department_operators',
      'operators',
      'imports',
    ],
  ],
  Money: [
    ...['accounts', 'balance_entries', 'billing_mails', 'buyers', 'payments', 'plan_periods', 'receipts'],
    ...['renewal_notices', 'subscriptions'],
  ],
  'Facts of reports, and how far the event log has been read': [
    'report_facts',
    'log_cursors',
    'log_failures',
  ],
  'Numbers without a person': ['article_counts', 'project_counters', 'words_read'],
  'Anonymous votes': ['article_votes'],
  'Only ids, times and states, and keys of objects whose content the test searches': [
    ...[
      'article_pictures',
      'contact_merge_tickets',
      'history_estimates',
      'organization_joins',
      'contact_ticket_moves',
      'contact_reads',
      'demo_records',
      'due_work',
      'exports',
      'mentions',
      'message_reactions',
      'open_tabs',
    ],
    ...[
      'operator_digests',
      'operator_notices',
      'operator_pushes',
      'outgoing_emails',
      'outgoing_queue',
      'reply_notices',
      'ticket_merges',
    ],
    ...[
      'ticket_reads',
      'unread_replies',
      'visitor_files',
      'visitor_tabs',
      'data_deletions',
      'deleted_records',
    ],
  ],
  'Only while a deletion runs': ['deleted_words'],
  'Encrypted bodies, which a separate test covers': ['idempotency_keys', 'operator_answers'],
}

async function listProjectTables(): Promise<string[]> {
  const rows = await server.db<{ name: string }[]>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where column_name = 'project_id' and table_type = 'BASE TABLE' and table_schema = 'public'`
  return rows.map(({ name }) => name)
}

async function exportProject(): Promise<void> {
  await desk.owner.post('/exports', { has_files: true })
  await writeExports({ db: server.db, storages: createStorages(server), log: server.log }, server.acme.id)
}

async function listBackupEntriesWith(marker: string): Promise<string[]> {
  const file = join(tmpdir(), `${marker}.zip`)
  const { db, config } = server
  await writeBackup({ db, dataDir: config.dataDir, secretKey: null, file, tell() {} })
  return listEntriesWith(file, marker)
}

/** Exports are compressed, so they are counted instead of searched. */
const countExports = async () => (await desk.owner.get('/exports')).body.items.length

async function assertNoTraces(marker: string): Promise<void> {
  await gatherWords(server, server.acme.id)
  assert.deepEqual(await findTablesWith(server.db, marker), [])
  assert.deepEqual(listFilesWith(server.config.dataDir, marker), [])
  assert.deepEqual(await listBackupEntriesWith(marker), [])
  assert.equal(await countExports(), 0)
}

/** Everything about a person except the words of the search index, which people may share. */
const listKept = async ({ contactId, ticketId }: MarkedPerson) => [
  (await server.api.get(`/contacts/${contactId}`)).body,
  (await server.api.get(`/tickets/${ticketId}`)).body,
  (await server.api.get(`/tickets/${ticketId}/messages?page_size=100`)).body,
]

test('a deleted contact leaves no trace, and another contact keeps everything', async () => {
  const [marker, other] = [newMarker(), newMarker()]
  const person = await markPerson({ server, desk, marker })
  const keeping = await markPerson({ server, desk, marker: other })
  await exportProject()
  const marked = await findTablesWith(server.db, marker)
  const known = [...marked, ...Object.values(withoutPersonalData).flat()]
  assert.deepEqual(
    (await listProjectTables()).filter(name => !known.includes(name)),
    [],
    'each table must contain the marker, which test/personal-data.ts writes, or be listed above with a reason',
  )
  const [before, tables] = [await listKept(keeping), await findTablesWith(server.db, other)]
  const asked = await server.api.request('DELETE', `/contacts/${person.contactId}`)
  assert.equal(asked.status, 202, asked.text)
  await runDeletions()
  await assertNoTraces(marker)
  assert.deepEqual(await listKept(keeping), before)
  assert.deepEqual(await findTablesWith(server.db, other), tables)
  assert.equal((await server.api.get(`/tickets/${person.otherTicketId}`)).body.messages_count, 1)
})
