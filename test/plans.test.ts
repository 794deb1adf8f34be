import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../bench/seed/seed.ts'
import { withoutTimeout } from '../src/core/db/db.ts'
import { lastSeq, makeMessage, makeTicket, unique } from './cast.ts'
import { startServer, type TestServer } from './server.ts'

/**
 * Prepared statements are planned only once, because planning one takes as long as running it, or several
 * times as long.
 */

/** Postgres compares the generic plan with custom plans for the first five executions. */
const tries = 5
const rounds = 10 * tries

const contact = { email: `${unique()}@example.com` }
const sizes = { few: 20, many: 5_000 }

/**
 * Seeds records whose statistics do not change. If autovacuum renewed them in between, a statement would be
 * planned again about ten times, until its new custom plans outweigh the old ones.
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

/**
 * Fragments of statements that must be prepared: of long polls, identities, and the pages and totals of
 * lists.
 */
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

/** The prepared statements of all connections of the server. */
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
  test(`no statement of everyday calls is planned each time, with ${size} records`, async t => {
    // Each connection plans for itself. With two, one of them runs at least half of the rounds.
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
    const replanned = kept.filter(({ custom }) => custom > 2 * tries)
    assert.deepEqual(
      replanned.map(({ statement }) => statement),
      [],
    )
  })
}
