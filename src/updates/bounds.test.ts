import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { lastSeq } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { type Update, untilFull } from '../../test/updates.ts'
import { maxPageBytes } from '../events/queries.ts'

const server = await startServer({ delivers: false, config: { waitingPerKey: 1 } })
const { api, outsider, db, acme } = server
after(() => server.close())

/** Writes large events, as another process would. */
const fill = (count: number, bytes: number) => db`
  with counter as (
    update project_counters set event_seq = event_seq + ${count}::int where project_id = ${acme.id} returning event_seq
  ) insert into events (project_id, seq, id, type, data, created_at)
  select ${acme.id}, event_seq - ${count}::int + n, gen_random_uuid(), 'ticket.rated',
    json_build_object('comment', repeat('x', ${bytes}::int)), now()
  from counter, generate_series(1, ${count}::int) n`

const seqsOf = (items: Update[]) => items.map(({ seq }) => seq)

test('a page has a size limit, and the next page continues without a gap', async () => {
  const cursor = await lastSeq(db, acme)
  await fill(40, 65_536)
  const seen: number[] = []
  for (let at = cursor; at < cursor + 40; ) {
    const { body, text } = await api.get(`/updates?after=${at}&timeout=0`)
    assert.ok(text.length < maxPageBytes + 100_000, `${text.length} bytes`)
    assert.equal(body.has_more, body.last_seq < cursor + 40)
    seen.push(...seqsOf(body.items))
    at = body.last_seq
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 40 }, (_, at) => cursor + 1 + at),
  )
})

test('an event larger than a page is returned alone', async () => {
  const cursor = await lastSeq(db, acme)
  await fill(2, maxPageBytes + 1)
  const { body } = await api.get(`/updates?after=${cursor}&timeout=0`)
  assert.deepEqual([seqsOf(body.items), body.last_seq, body.has_more], [[cursor + 1], cursor + 1, true])
})

test('many different queries for large events are all answered, and do not block another project', async () => {
  const cursor = await lastSeq(db, acme)
  await fill(30, 65_536)
  const calls = Array.from({ length: 30 }, (_, at) => api.get(`/updates?after=${cursor + at}&timeout=0`))
  const theirs = await outsider.get('/updates?timeout=0')
  assert.equal(theirs.status, 200)
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)], [200])
})

test('a caller who disconnects before the key check does not count as waiting', async () => {
  const { hostname, port } = new URL(server.url)
  const head = `GET /api/v1/updates?timeout=55 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.key.key}\r\n\r\n`
  for (let at = 0; at < 20; at++) {
    const socket = connect(Number(port), hostname)
    await new Promise<void>(resolve => socket.write(head, () => resolve()))
    socket.destroy()
  }
  await untilFull(api, false)
})
