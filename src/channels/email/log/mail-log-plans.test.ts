import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMailbox } from '../../../../test/mail.ts'
import { countReadBy } from '../../../../test/rows-read.ts'
import { startServer } from '../../../../test/server.ts'
import { connectApart, type Db } from '../../../core/db/db.ts'
import { attentionOutcomes, loggedOutcomes, messageOutcomes } from '../incoming/outcomes.ts'
import { listMatchingPatterns } from '../senders/sender-pattern.ts'
import { listSenderVerdicts } from '../senders/sender-queries.ts'
import { pageMailLog } from './mail-log.ts'
import type { MailLogQuery } from './mail-log-schema.ts'

/** Indexes find the lists of a mail log with 100,000 emails, and the rules for their senders. */

const count = 100_000
const maxRead = 1_500
const server = await startServer({ delivers: false })
const { acme } = server
const db = connectApart(server.db, { max: 1 }) as Db
after(async () => {
  await db.end()
  await server.close()
})

const mailboxes: Record<string, string> = {}
for (const user of ['busy', 'old', 'rare', 'empty'])
  mailboxes[user] = (await makeMailbox(server, { imapPort: 9 }, { user })).id

/** The old mailbox has the oldest emails, and those of the rare mailbox are spread evenly. */
const fill = (from: number, to: number) => db`
  insert into incoming_mails (project_id, id, mailbox_id, source, size, received_at, created_at, state, outcome, sender, subject, header_id)
  select ${acme.id}, uuid_v7(),
    case when i <= 20000 then ${mailboxes.old!}::uuid when i % 2000 = 0 then ${mailboxes.rare!}::uuid else ${mailboxes.busy!}::uuid end,
    'lmtp', 1000, at, at, case when i % 5000 = 0 then 'failed' else 'done' end,
    case when i % 5000 = 0 then 'error' when i % 20 = 0 then 'bounce' when i % 3 = 0 then 'in_reply_to' else 'new' end,
    'sender-' || i % 7000 || '@example.com', case when i % 2 = 0 then 'Re: ' else '' end || 'Order ' || i, i || '@mail.example'
  from generate_series(${from}::int, ${to}::int) i,
    lateral (select now() - interval '700 days' * (1 - i::float8 / ${count}::int) as at) t`
// Does not check the foreign keys of each row.
await db`set session_replication_role = replica`
const batch = 10_000
for (let from = 1; from <= count; from += batch) await fill(from, from + batch - 1)
await db`set session_replication_role = origin`
await db`
  insert into sender_rules (project_id, id, pattern, verdict, author_type)
  select ${acme.id}, gen_random_uuid(), i || '.many.example', 'blocked', 'system' from generate_series(1, 10000) i`
await db`analyze incoming_mails, sender_rules`

const list = (query: object) =>
  pageMailLog(db, acme.id, { page_size: 50, count: false, ...query } as MailLogQuery)

const lists: [string, MailLogQuery, number][] = [
  ['all emails', {}, 50],
  ...['busy', 'old', 'rare', 'empty'].map((user): [string, MailLogQuery, number] => [
    `emails of the ${user} mailbox`,
    { mailbox_id: mailboxes[user]! },
    { rare: 40, empty: 0 }[user] ?? 50,
  ]),
  ['a frequent outcome', { outcome: ['new'] }, 50],
  ['a rare outcome', { outcome: ['error'] }, 20],
  ['an outcome without emails', { outcome: ['unreadable'] }, 0],
  ['all messages', { outcome: Object.keys(messageOutcomes) as never }, 50],
  ['all that are only logged', { outcome: Object.keys(loggedOutcomes) as never }, 50],
  ['all that need attention', { outcome: Object.keys(attentionOutcomes) as never }, 20],
  ['a sender', { q: 'Sender-77@example.com' }, 15],
  ['the beginning of many senders', { q: 'sender' }, 50],
  ['a subject', { q: 're: order 777' }, 50],
  ['a Message-ID', { q: '<777@mail.example>' }, 1],
  ['words that are nowhere', { q: 'nothing' }, 0],
  ['a sender in a mailbox', { q: 'sender-77@example.com', mailbox_id: mailboxes.old! }, 3],
]

for (const [name, query, found] of lists)
  test(`the mail log reads few rows for ${name}`, async () => {
    const read = await countReadBy(db, async () => assert.equal((await list(query)).items.length, found))
    assert.ok(read < maxRead, `${read} rows and index entries were read`)
  })

test('the mail log reads few rows for a page after row 50,000', async () => {
  const query = { created_before: new Date(Date.now() - 350 * 86_400_000).toISOString() }
  const { next_cursor: cursor } = await list(query)
  assert.ok(cursor)
  const read = await countReadBy(db, () => list({ ...query, cursor }))
  assert.ok(read < maxRead, `${read} rows and index entries were read`)
})

test('the rules for a sender are found among 10,000 without a scan', async () => {
  const find = (address: string) => listSenderVerdicts(db, acme.id, listMatchingPatterns(address))
  // Prepared statements are planned for each of their first five executions.
  for (let round = 0; round < 10; round++) {
    const read = await countReadBy(db, async () =>
      assert.equal((await find('a@mail.77.many.example')).length, 1),
    )
    assert.ok(read < 20, `${read} rows and index entries were read`)
  }
})
