import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { lastSeq, makeTicket } from '../../test/cast.ts'
import { cookieOf, logOf, openTab, type Tab, untilFrame } from '../../test/live.ts'
import { joinProject, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { append } from '../../test/updates.ts'
import { buildApp } from '../app.ts'
import { newId } from '../core/ids.ts'
import { notifyLogChange } from '../events/notifier.ts'
import { setMaintenance } from '../projects/installation.ts'
import { resumeProject, suspendProject } from '../projects/projects.ts'

let server: TestServer
let origin: string

before(async () => {
  server = await startServer({ delivers: false })
  origin = new URL(server.url).origin
})
after(() => server.close())

async function enter(role: 'owner' | 'operator' = 'operator') {
  const person = await joinProject(server, server.acme, { role })
  const tab = await openTab(origin, person, server.acme)
  await untilFrame(tab, 'ready')
  return { person, tab }
}

/** Returns how long it took until the stream reported this and ended. */
async function timeEnd(tab: Tab, event: string, act: () => Promise<unknown>): Promise<number> {
  await act()
  const begun = performance.now()
  await untilFrame(tab, event)
  await tab.ended
  assert.equal(tab.frames.at(-1)!.event, event)
  return performance.now() - begun
}

const endings: [name: string, act: (person: Person, owner: Person) => Promise<unknown>][] = [
  ['signs out', ({ auth }) => auth.post('/sign-out', {})],
  ['is removed from the project', ({ id }, owner) => owner.api.delete(`/operators/${id}`)],
  [
    'has an expired session',
    ({ id }) => server.db`
      update user_sessions set expires_at = now()
      where user_id = (select user_id from operators where id = ${id})`,
  ],
]

for (const [name, act] of endings) {
  test(`the stream of an operator who ${name} ends within a second, and no other stream`, async () => {
    const [{ person, tab }, other] = [await enter(), await enter('owner')]
    const took = await timeEnd(tab, 'signed-out', () => act(person, other.person))
    // The limit that we promise is one second; a busy machine gets more time.
    assert.ok(took < 15_000, `${took} ms`)
    await makeTicket(server.api)
    await untilFrame(other.tab, 'log', ({ data }) => data.type === 'ticket.created')
    other.tab.close()
  })
}

test('suspending a project ends its streams, but not those of other projects', async () => {
  const { tab } = await enter()
  const rita = await joinProject(server, server.rival)
  const theirs = await openTab(origin, rita, server.rival)
  await untilFrame(theirs, 'ready')
  await timeEnd(tab, 'signed-out', () => suspendProject(server.db, server.acme.id))
  await resumeProject(server.db, server.acme.id)
  await makeTicket(server.outsider)
  await untilFrame(theirs, 'log')
  theirs.close()
})

test('when a project starts to require two-factor authentication, streams of people without it end', async () => {
  const { tab } = await enter()
  const set = (on: boolean) =>
    server.db`update projects set requires_second_factor = ${on} where id = ${server.acme.id}`
  await timeEnd(tab, 'signed-out', () => set(true))
  await set(false)
})

test('maintenance ends every stream and sends the reason', async () => {
  const { tab } = await enter()
  await timeEnd(tab, 'maintenance', () => setMaintenance(server.db, true))
  await setMaintenance(server.db, false)
})

test('a stop ends all streams, accepts no new ones, and deletes no tab', async t => {
  const stopping = new AbortController()
  const app = await buildApp({ ...server, stopping: stopping.signal })
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const there = await app.listen({ port: 0, host: '127.0.0.1' })
  const people = await Promise.all([1, 2, 3].map(() => joinProject(server, server.acme)))
  const tabs = await Promise.all(people.map(person => openTab(there, person, server.acme)))
  await Promise.all(tabs.map(tab => untilFrame(tab, 'ready')))
  stopping.abort()
  await Promise.all(tabs.map(({ ended }) => ended))
  const late = await openTab(there, people[0]!, server.acme)
  await late.ended
  const rows =
    await server.db`select from open_tabs where tab = any(${tabs.map(({ tab }) => tab) as never}::uuid[])`
  assert.equal(rows.length, 3)
})

/** Opens a stream and never reads it. */
async function openDeaf(person: Person, tab: string) {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  const path = `/api/dashboard/projects/${server.acme.id}/live?tab=${tab}`
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookieOf(person)}\r\n\r\n`)
  await until(async () => (await server.db`select from open_tabs where tab = ${tab}`).length === 1)
  return socket
}

/** Large events, written as another process would. */
const fill = (count: number) => server.db`
  with counter as (
    update project_counters set event_seq = event_seq + ${count}::int where project_id = ${server.acme.id} returning event_seq
  ) insert into events (project_id, seq, id, type, data, created_at)
  select ${server.acme.id}, event_seq - ${count}::int + n, gen_random_uuid(), 'ticket.rated',
    json_build_object('comment', repeat('x', 65536)), now()
  from counter, generate_series(1, ${count}::int) n`

test('a client that does not read is disconnected and can continue where it was; others miss nothing', async () => {
  const { person, tab } = await enter()
  const silent = newId()
  const deaf = await openDeaf(await joinProject(server, server.acme), silent)
  const cursor = await lastSeq(server.db, server.acme)
  for (let round = 0; round < 5; round++) {
    await fill(60)
    notifyLogChange(server.acme.id)
    await tab.until(() => logOf(tab).length >= (round + 1) * 60, 30)
  }
  await until(async () => (await server.db`select from open_tabs where tab = ${silent}`).length === 0)
  const last = await append(server.db, server.acme)
  await untilFrame(tab, 'log', ({ id }) => id === last)
  const again = await openTab(origin, person, server.acme, { query: `&after=${cursor}` })
  await untilFrame(again, 'ready')
  assert.equal(logOf(again).length, last - cursor)
  deaf.destroy()
  for (const one of [tab, again]) one.close()
})
