import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../bench/seed/seed.ts'
import { withoutTimeout } from '../src/core/db.ts'
import { lastSeq, makeMessage, makeTicket, unique } from './cast.ts'
import { startServer, type TestServer } from './server.ts'

/** Statements that are kept are planned once: to plan one takes as long as to run it, or several times as long. */

/** Postgres compares five plans of its own for the first values with the one that it would keep. */
const tries = 5
const rounds = 10 * tries

const contact = { email: `${unique()}@example.com` }
const sizes = { few: 20, many: 5_000 }

/**
 * Records whose statistics stay as they are. Where autovacuum renews them midway a statement is planned anew for some
 * ten times, until its plans by the new statistics outweigh those by the old.
 */
async function fill({ db, acme }: TestServer, tickets: number): Promise<void> {
  const order = {
    tickets,
    messages: 5 * tickets,
    contacts: tickets,
    events: tickets,
    seed: 1,
    projectId: acme.id,
  }
  await withoutTimeout(db, async own => {
    const tables = await own<{ name: string }[]>`
      select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    for (const { name } of tables) await own.unsafe(`alter table ${name} set (autovacuum_enabled = off)`)
    await seed(own, order, () => {})
    await own`analyze`
  })
}

async function work({ api, db, acme }: TestServer): Promise<void> {
  const ticket = await makeTicket(api, { contact, content: 'Where is it?' })
  const seq = await lastSeq(db, acme)
  await makeMessage(api, ticket.id)
  const changed = await api.patch(`/tickets/${ticket.id}`, { priority: 'high' })
  assert.equal(changed.status, 200, changed.text)
  const paths = [
    `/tickets/${ticket.id}`,
    `/tickets/${ticket.id}/messages`,
    '/tickets',
    '/tickets?status=new',
    '/tickets?priority=high&sort=created_at',
    '/tickets?channel=api&page_size=50',
    `/contacts?email=${contact.email}`,
    `/updates?after=${seq}&timeout=0`,
  ]
  for (const path of paths) {
    const { status, text } = await api.get(path)
    assert.equal(status, 200, text)
  }
}

/** Parts of statements that have to be among what is kept: of long polls, identities, and the pages and the number of lists. */
const known = [
  'newest_seq',
  'join unnest((select $1::text[])',
  'not t.is_spam and true order by "t"."created_at" desc',
  '"t"."status" = (select $2::text) and true order by',
  '"t"."priority" = (select $2::text) and true order by',
  '"t"."channel" = (select $2::text) and true order by',
  'from (select from tickets t',
  'select c.id, c.created_at as sort_value',
]

interface Statement {
  statement: string
  custom: number
  generic: number
}

/** What the connections of the server keep; each has its own. */
async function listKept({ db }: TestServer): Promise<Statement[]> {
  const connections = await Promise.all(Array.from({ length: db.options.max }, () => db.reserve()))
  const kept = await Promise.all(
    connections.map(
      sql => sql<Statement[]>`
        select statement, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements`,
    ),
  )
  for (const connection of connections) connection.release()
  return kept.flat()
}

for (const [size, tickets] of Object.entries(sizes)) {
  test(`no statement of everyday calls is planned anew each time, among ${size} records`, async t => {
    // Each connection plans for itself: with two, one of them has half of all rounds.
    const server = await startServer({ delivers: false, config: { databasePool: 2 } })
    t.after(() => server.close())
    await fill(server, tickets)
    for (let round = 0; round < rounds; round++) await work(server)
    const kept = await listKept(server)
    for (const words of known)
      assert.ok(
        kept.some(({ statement, generic }) => statement.includes(words) && generic > tries),
        `kept: ${words}`,
      )
    const anew = kept.filter(({ custom }) => custom > 2 * tries)
    assert.deepEqual(
      anew.map(({ statement }) => statement),
      [],
    )
  })
}
