import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lastSeq, listEvents, makeTicket } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { logOf, openTab, type Tab, untilFrame } from '../../test/live.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { append } from '../../test/updates.ts'
import { newId } from '../core/ids.ts'
import { notifyMessageChange } from '../events/notifier.ts'
import { transact } from '../events/transaction.ts'

let server: TestServer
let origin: string
let cast: Record<'olga' | 'omar' | 'rita', Person>

before(async () => {
  server = await startServer({ delivers: false, config: { tabsPerOperator: 3 } })
  origin = new URL(server.url).origin
  cast = await joinCast(server)
})
after(() => server.close())

/** A new operator of Acme, with a tab that has received the missed events. */
async function enter(query = '', headers = {}) {
  const person = await joinProject(server, server.acme)
  const tab = await openTab(origin, person, server.acme, { query, headers })
  await untilFrame(tab, 'ready')
  return { person, tab }
}

test('a stream sends each new event of the log with its number and data', async () => {
  const { tab } = await enter()
  const ticket = await makeTicket(server.api, { subject: 'Größe\nzwei' })
  const { id, data } = await untilFrame(tab, 'log', frame => frame.data.type === 'ticket.created')
  const [written] = (await listEvents(server.db, server.acme)).filter(({ seq }) => seq === id)
  assert.deepEqual(data, {
    seq: written!.seq,
    type: 'ticket.created',
    data: written!.data,
    created_at: written!.at,
  })
  assert.equal(data.data.ticket_id, ticket.id)
  assert.match(tab.headers.get('content-type')!, /^text\/event-stream/)
  assert.equal(tab.headers.get('x-accel-buffering'), 'no')
  assert.match(tab.headers.get('cache-control')!, /no-store/)
  assert.match(tab.headers.get('x-request-id')!, /./)
  tab.close()
})

test('a stream names each message of the project that changed without an event', async () => {
  const { tab } = await enter()
  const rivals = await openTab(origin, cast.rita, server.rival)
  await untilFrame(rivals, 'ready')
  const [ours, theirs] = [newId(), newId()]
  notifyMessageChange(server.acme.id, ours)
  notifyMessageChange(server.rival.id, theirs)
  assert.deepEqual((await untilFrame(tab, 'message')).data, { message_id: ours })
  assert.deepEqual((await untilFrame(rivals, 'message')).data, { message_id: theirs })
  tab.close()
  rivals.close()
})

test("Rival receives none of Acme's events and cannot open Acme's stream", async () => {
  const theirs = await openTab(origin, cast.rita, server.rival)
  await untilFrame(theirs, 'ready')
  await makeTicket(server.api)
  await makeTicket(server.outsider)
  const { data } = await untilFrame(theirs, 'log')
  const rivals = await listEvents(server.db, server.rival)
  assert.deepEqual(data.data, rivals.find(({ seq }) => seq === data.seq)!.data)
  assert.equal((await openTab(origin, cast.rita, server.acme)).status, 404)
  assert.equal((await openTab(origin, { cookies: new Map() }, server.acme)).status, 401)
  theirs.close()
})

test('a stream continues after Last-Event-ID or the number in the URL', async () => {
  const cursor = await lastSeq(server.db, server.acme)
  const last = await append(server.db, server.acme, 1_200)
  const wanted = Array.from({ length: last - cursor }, (_, at) => cursor + 1 + at)
  const [one, other] = await Promise.all([
    enter('', { 'last-event-id': String(cursor) }),
    enter(`&after=${cursor}`),
  ])
  for (const { tab } of [one, other]) {
    assert.deepEqual(
      logOf(tab)
        .slice(0, 1_200)
        .map(({ id }) => id),
      wanted.slice(0, 1_200),
    )
    tab.close()
  }
})

test('a cursor that is too old, too far behind, or ahead of the log causes a gap, and the stream continues', async () => {
  const last = await append(server.db, server.acme, 5_200)
  await server.db`delete from events where project_id = ${server.acme.id} and seq <= 3`
  for (const cursor of [0, last - 5_100, last + 1_000_000]) {
    const { tab } = await enter(`&after=${cursor}`)
    const [first] = tab.frames.filter(({ event }) => event !== 'presence')
    assert.equal(first!.event, 'gap')
    await makeTicket(server.api)
    const next = await untilFrame(tab, 'log')
    assert.ok(next.id! > last)
    tab.close()
  }
})

test('an event whose notification was lost is still sent', async () => {
  const { tab } = await enter()
  const last = await append(server.db, server.acme)
  await untilFrame(tab, 'log', frame => frame.id === last)
  tab.close()
})

/** Holds a transaction open for up to 50 ms, before or after others that began later; one in twenty is rolled back. */
async function write(at: number): Promise<void> {
  const writing = transact(server.db, server.acme.id, async tx => {
    await tx`select pg_sleep(${(at % 11) / 200})`
    tx.emit({ type: 'ticket.rated', data: { ticket_id: newId(), rating: 5 } })
    if (at % 20 === 0) throw new Error('rolled back')
  })
  await writing.catch(error => assert.equal(error.message, 'rolled back'))
}

/** Follows the log over a connection that breaks again and again, until the last event has arrived. */
async function follow(person: Person, from: number, end: () => number, maxFrames: number): Promise<number[]> {
  const seen: number[] = []
  const tab = newId()
  for (let cursor = from; cursor < end(); cursor = seen.at(-1) ?? from) {
    const headers = { 'last-event-id': String(cursor) }
    const stream = await openTab(origin, person, server.acme, { tab, headers })
    const isEnough = () => logOf(stream).length >= maxFrames || logOf(stream).at(-1)?.id === end()
    await stream.until(isEnough, 30).catch(() => {})
    stream.close()
    await stream.ended
    seen.push(...logOf(stream).map(({ id }) => id!))
  }
  return seen
}

test('streams that break while 50 writers write miss nothing, repeat nothing and keep the order', async () => {
  const from = await lastSeq(server.db, server.acme)
  let end = Number.POSITIVE_INFINITY
  const people = await Promise.all([1, 2, 3, 4].map(() => joinProject(server, server.acme)))
  const following = people.map((person, at) => follow(person, from, () => end, 5 + at * 40))
  const writers = Array.from({ length: 50 }, async (_, writer) => {
    for (let at = 0; at < 8; at++) await write(writer + at * 7)
  })
  await Promise.all(writers)
  end = await append(server.db, server.acme)
  const written = (await listEvents(server.db, server.acme, from)).map(({ seq }) => seq)
  assert.ok(written.length > 350)
  for (const seen of await Promise.all(following)) assert.deepEqual(seen, written)
})

test('refuses one tab more than the limit, and accepts one again after a tab is closed', async () => {
  const person = await joinProject(server, server.acme)
  const tabs: Tab[] = []
  for (let count = 0; count < 3; count++) tabs.push(await openTab(origin, person, server.acme))
  const refused = await person.api.get(`/live?tab=${newId()}`)
  assertEnvelope(refused, 429, 'RATE_LIMIT_EXCEEDED', { reason: 'too_many_tabs', limit: 3 })
  tabs[0]!.close()
  const status = await until(async () => {
    const tab = await openTab(origin, person, server.acme)
    tab.close()
    return tab.status !== 429 && tab.status
  })
  assert.equal(status, 200)
  for (const tab of tabs) tab.close()
})
