import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { makeTicket } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { untilCounted } from '../../../test/counted.ts'
import { startServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

/** Enough for common words to be searched in tickets, and rare ones in messages. */
const tickets = 3_000
const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

/** The messages of ticket n, oldest first. `header` is only in subjects. */
const says = (n: number): string[] => [
  `ordinary ${n % 3 ? 'third' : ''} ${n <= tickets / 5 ? 'early' : ''} ${n === 700 ? 'single' : ''}`,
  `ordinary ${n % 2 ? 'odd' : 'even'} ${n > tickets - 5 ? 'late' : ''}`,
]
const subjectOf = (n: number): string => (n % 10 ? 'Plain' : 'Header')
const statusOf = (n: number): string => (n % 50 ? 'open' : 'pending')
const isSpam = (n: number): boolean => n % 60 === 1
const numbers = Array.from({ length: tickets }, (_, at) => at + 1)

async function fill(projectId: string, like: string): Promise<void> {
  await db`
    with source as (select * from tickets where id = ${like}), made as (
      insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, is_spam, created_at)
      select s.project_id, uuid_v7(), 1000000 + n, w.subject, w.status, s.priority, s.channel, s.contact_id, w.is_spam::bool,
        '2026-01-01'::timestamptz + n * interval '1 minute'
      from source s, unnest(${numbers as never}::int[], ${numbers.map(subjectOf) as never}::text[],
        ${numbers.map(statusOf) as never}::text[], ${numbers.map(n => String(isSpam(n))) as never}::text[]) as w (n, subject, status, is_spam)
      returning project_id, id, number, created_at
    ), active as (
      insert into ticket_activity (project_id, ticket_id, updated_at)
      select project_id, id, created_at + number % 7 * interval '1 hour' from made
    )
    insert into messages (project_id, id, ticket_id, sender_type, content, content_format, channel, delivery_updated_at, created_at)
    select project_id, uuid_v7(), id, 'contact', content, 'text', 'api', created_at, created_at
    from made join unnest(${numbers.flatMap(n => [n, n]) as never}::int[], ${numbers.flatMap(says) as never}::text[])
      as w (n, content) on n = number - 1000000 order by n`
  await db`update project_counters set ticket_number = ${1_000_000 + tickets} where project_id = ${projectId}`
}

before(async () => {
  await fill(acme.id, (await makeTicket(api)).id)
  await fill(rival.id, (await makeTicket(outsider)).id)
  await db`analyze`
})

/** Words in quotes are searched exactly. Only such a search always has a total. */
const exactly = (words: string): string => words.replaceAll(/\S+/g, '"$&"')

const list = async (query: string) => {
  const { status, body, text } = await api.get(`/tickets?${query}`)
  assert.equal(status, 200, text)
  return body
}
const found = ({ items }: { items: { short_id: string }[] }) =>
  items.map(({ short_id }) => Number(short_id) - 1_000_000)

const has = (n: number, words: string): boolean =>
  [...says(n), subjectOf(n).toLowerCase()].some(text => words.split(' ').every(word => text.includes(word)))

/** In minutes, like the rows above. */
const timeOf = (n: number, sort: string) => (sort === 'updated_at' ? n + ((1_000_000 + n) % 7) * 60 : n)

function wanted(words: string, sort: string, status?: string): number[] {
  const name = sort.replace('-', '')
  const rows = numbers.filter(n => !isSpam(n) && has(n, words) && (!status || statusOf(n) === status))
  const order = (a: number, b: number) => timeOf(a, name) - timeOf(b, name) || a - b
  return rows.sort((a, b) => (sort.startsWith('-') ? order(b, a) : order(a, b)))
}

const words = [
  'ordinary',
  'third',
  'even',
  'early',
  'late',
  'single',
  'header',
  'odd early',
  'odd third',
  'no',
]
/** The estimated number of rows decides how words are searched, and must not change what is found. */
const setEstimate = (times: number) => db`
  update pg_class set reltuples = case relname when 'messages' then ${4 * tickets * times}::real else ${(2 * tickets) / times}::real end
  where oid in ('messages'::regclass, 'tickets'::regclass)`

for (const times of [0.01, 1, 10, 100]) {
  for (const q of words) {
    test(`with an estimate of ${times} times the messages, "${q}" is found in every order, on every page, and counted`, async () => {
      await setEstimate(times)
      for (const sort of ['-created_at', 'created_at', '-updated_at', 'updated_at']) {
        for (const status of [undefined, 'pending']) {
          const all = wanted(q, sort, status)
          const query = `q=${encodeURIComponent(exactly(q))}&sort=${sort}${status ? `&status=${status}` : ''}`
          for (const page of [1, 30]) {
            const body = await untilCounted(() => list(`${query}&page=${page}`))
            assert.deepEqual(found(body), all.slice(page * 20 - 20, page * 20), `${query} ${page}`)
            assert.equal(body.total, all.length, query)
          }
          const first = await list(`${query}&page_size=7`)
          if (first.next_cursor)
            assert.deepEqual(
              found(await list(`${query}&cursor=${first.next_cursor}`)),
              all.slice(7, 27),
              query,
            )
        }
      }
    })
  }
}

/** Makes each search that checks more than 400 tickets exceed its time limit, until the end of the test. */
async function slowDown(t: TestContext): Promise<void> {
  const [{ text }] = await db<[{ text: string }]>`
    select pg_get_functiondef('tickets_with_words'::regproc) as text`
  await db.unsafe(
    text.replace(/begin/i, 'begin if cardinality(ids) > 400 then perform pg_sleep(60); end if;'),
  )
  t.after(() => db.unsafe(text))
  await setEstimate(100)
}

async function countAsleep(): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  return row.count
}

const far = `/tickets?q=even&page=${tickets / 40}`

test('a search that takes too long has no total, or is refused if it has no page', async t => {
  await slowDown(t)
  const [none, near] = await Promise.all([api.get(far), list('q=even')])
  assertEnvelope(none, 422, 'VALIDATION_ERROR', { field: 'q', reason: 'takes_too_long' })
  assert.deepEqual(found(near), wanted('even', '-created_at').slice(0, 20))
  assert.deepEqual([near.total, near.pages, near.total_capped], [null, null, undefined])
})

test('reads and writes do not wait for searches, however many of them take too long', async t => {
  await slowDown(t)
  let ended = 0
  const searches = Array.from({ length: db.options.max }, () => api.get(far).finally(() => ended++))
  const half = db.options.max / 2
  await until(async () => (await countAsleep()) >= half)
  const { id } = await makeTicket(api)
  assert.equal((await api.get(`/tickets/${id}`)).status, 200)
  assert.deepEqual([ended, await countAsleep()], [0, half])
  await Promise.race(searches)
  // The time of the waiting searches is over, so that none of them starts.
  await until(() => ended === searches.length, 4.5)
  for (const answer of await Promise.all(searches))
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'q', reason: 'takes_too_long' })
})

test('a search for the same words finds only tickets of the same project', async () => {
  const ours = new Set((await list('q=late')).items.map(({ id }: { id: string }) => id))
  const { items, total } = (await outsider.get('/tickets?q=late')).body
  assert.deepEqual([ours.size, total, items.some(({ id }: { id: string }) => ours.has(id))], [5, 5, false])
})
