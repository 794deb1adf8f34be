import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lastSeq, listEvents } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { openTab, untilFrame } from '../../test/live.ts'
import { joinProject, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import type { Sql } from '../core/db/db.ts'
import { takeOffline } from './tabs.ts'

let server: TestServer
let origin: string

before(async () => {
  server = await startServer({ delivers: false })
  origin = new URL(server.url).origin
})
after(() => server.close())

const statusOf = async ({ id }: Person): Promise<unknown[]> => {
  const { items } = (await server.api.get('/operators?page_size=100')).body
  const { status, status_text, status_emoji } = items.find((one: Person) => one.id === id)
  return [status, status_text, status_emoji]
}

/** The data of the status events that `act` caused at Acme; Rival's log must gain none. */
async function changesOf(act: () => Promise<unknown>) {
  const [before, rivals] = [await lastSeq(server.db, server.acme), await lastSeq(server.db, server.rival)]
  await act()
  assert.equal(await lastSeq(server.db, server.rival), rivals)
  const events = await listEvents(server.db, server.acme, before)
  return events.filter(({ type }) => type === 'operator.status.changed').map(({ data }) => data)
}

async function open(person: Person) {
  const tab = await openTab(origin, person, server.acme)
  await untilFrame(tab, 'ready')
  return tab
}

/** Closes the tabs and waits until the person has no open tab. */
async function close(person: Person, tabs: { close(): void }[]) {
  for (const tab of tabs) tab.close()
  const listTabs = () => server.db`select from open_tabs where operator_id = ${person.id}`
  await until(async () => (await listTabs()).length === 0)
}

/** Makes the absence this many seconds long. */
const wait = (person: Person, seconds: number, sql: Sql = server.db) => sql`
  update operators set absent_since = now() - ${seconds} * interval '1 second'
  where id = ${person.id} and absent_since is not null`

/** The background job, in several processes at once. */
const runJobs = () => Promise.all([1, 2, 3, 4].map(() => takeOffline(server.db, server.acme.id)))

/** The background job after exactly this absence, also on a slow machine: in a transaction, now() does not change. */
const runJobAfter = (person: Person, seconds: number) =>
  server.db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await wait(person, seconds, tx)
    return takeOffline(tx as never, server.acme.id)
  })

test('the first tab sets a person online with one event, and further tabs emit nothing', async () => {
  const person = await joinProject(server, server.acme)
  assert.deepEqual(await statusOf(person), ['offline', null, null])
  const tabs = []
  const changes = await changesOf(async () =>
    tabs.push(...(await Promise.all([1, 2, 3].map(() => open(person))))),
  )
  assert.deepEqual(changes, [{ user_id: person.id, status: 'online', status_text: null, status_emoji: null }])
  assert.deepEqual(await statusOf(person), ['online', null, null])
})

test('a chosen status is emitted once, with exactly the fields of the specification, and shown by the API', async () => {
  const person = await joinProject(server, server.acme)
  const choice = { status: 'custom', text: ' At lunch ', emoji: '🍜' }
  const put = () => person.api.put('/me/status', choice)
  const changes = await changesOf(() => Promise.all([put(), put(), put()]))
  const shown = { status: 'custom', status_text: 'At lunch', status_emoji: '🍜' }
  assert.deepEqual(changes, [{ user_id: person.id, ...shown }])
  assert.deepEqual((await put()).body, { ...shown, status_until: null })
  assert.deepEqual(await statusOf(person), ['custom', 'At lunch', '🍜'])
  const plain = await changesOf(() => person.api.put('/me/status', { status: 'away' }))
  assert.deepEqual(plain, [{ user_id: person.id, status: 'away', status_text: null, status_emoji: null }])
})

test('refuses an unknown status or too long a text', async () => {
  const person = await joinProject(server, server.acme)
  const changes = await changesOf(async () => {
    assertProblems(await person.api.put('/me/status', { status: 'busy' }), 'body.status')
    assertProblems(await person.api.put('/me/status', { status: 'away', text: 'x'.repeat(101) }), 'body.text')
  })
  assert.deepEqual(changes, [])
})

test('30 seconds after the last tab was closed, a person goes offline, with one event from all processes', async () => {
  const person = await joinProject(server, server.acme)
  const tabs = [await open(person), await open(person)]
  tabs.pop()!.close()
  await runJobs()
  assert.deepEqual(await statusOf(person), ['online', null, null])
  await close(person, tabs)
  const early = await changesOf(async () => {
    await runJobs()
    await runJobAfter(person, 29)
  })
  assert.deepEqual([early, await statusOf(person)], [[], ['online', null, null]])
  await wait(person, 31)
  const changes = await changesOf(runJobs)
  assert.deepEqual(changes, [
    { user_id: person.id, status: 'offline', status_text: null, status_emoji: null },
  ])
  assert.deepEqual(await statusOf(person), ['offline', null, null])
  assert.deepEqual(await changesOf(runJobs), [])
})

test('reloading the page within that time changes nothing', async () => {
  const person = await joinProject(server, server.acme)
  await close(person, [await open(person)])
  await runJobs()
  const changes = await changesOf(async () => {
    await open(person)
    await wait(person, 60)
    await runJobs()
  })
  assert.deepEqual([changes, await statusOf(person)], [[], ['online', null, null]])
})

test('a presence report sets a person online again after a job set them offline', async () => {
  const person = await joinProject(server, server.acme)
  const { tab } = await open(person)
  await server.db`update operators set status = 'offline', absent_since = now() where id = ${person.id}`
  await person.api.post('/presence', { tab, ticket_id: null, is_typing: false })
  assert.deepEqual(await statusOf(person), ['online', null, null])
})

test('a chosen status is kept while offline, and restored with the next tab', async () => {
  const person = await joinProject(server, server.acme)
  const tab = await open(person)
  await person.api.put('/me/status', { status: 'dnd', text: 'Focus' })
  await close(person, [tab])
  await runJobs()
  await wait(person, 31)
  const gone = await changesOf(runJobs)
  assert.deepEqual(gone, [
    { user_id: person.id, status: 'offline', status_text: 'Focus', status_emoji: null },
  ])
  const back = await changesOf(() => open(person))
  assert.deepEqual(back, [{ user_id: person.id, status: 'dnd', status_text: 'Focus', status_emoji: null }])
})

test('a person who chose to be offline stays offline with open tabs', async () => {
  const person = await joinProject(server, server.acme)
  await open(person)
  await person.api.put('/me/status', { status: 'offline' })
  const changes = await changesOf(async () => {
    const { tab } = await open(person)
    await person.api.post('/presence', { tab, ticket_id: null, is_typing: false })
  })
  assert.deepEqual([changes, await statusOf(person)], [[], ['offline', null, null]])
})
