import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../src/core/db/db.ts'
import { listEvents, type Member, makeCast, makeTicket } from '../cast.ts'
import { createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { openTab, type Presence, type Tab, untilFrame, untilPresence } from '../live.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'
import { type Program, startServer, stopServer } from './program.ts'

interface Stage {
  db: Db
  acme: Member
  rival: Member
  one: Program
  other: Program
  olga: Person
  omar: Person
  rita: Person
}

/** Two processes on one database, and people who are signed in to both. */
async function prepare(context: TestContext): Promise<Stage> {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const { acme, rival } = await makeCast(db)
  const settings = {
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const [one, other] = (await Promise.all([1, 2].map(() => startServer(context, settings)))) as [
    Program,
    Program,
  ]
  const server = { db, url: `${one.url}/api/v1` }
  const olga = await joinProject(server, acme, { name: 'Olga', role: 'owner' })
  const omar = await joinProject(server, acme, { name: 'Omar' })
  const rita = await joinProject(server, rival, { name: 'Rita' })
  return { db, acme, rival, one, other, olga, omar, rita }
}

const isOnline = (person: Person) => (presence: Presence) =>
  presence.operators.some(({ operator_id, status }) => operator_id === person.id && status === 'online')

const sightOf = (person: Person) => (presence: Presence) =>
  presence.tickets.find(({ operator_id }) => operator_id === person.id)

const statusesOf = async ({ db, acme }: Stage, person: Person): Promise<string[]> => {
  const changes = (await listEvents(db, acme)).filter(({ type }) => type === 'operator.status.changed')
  return changes.filter(({ data }) => data.user_id === person.id).map(({ data }) => data.status)
}

const countTabs = async ({ db }: Stage, person: Person): Promise<number> =>
  (await db`select from open_tabs where operator_id = ${person.id}`).length

async function listenAt({ url }: Program, person: Person, member: Member): Promise<Tab> {
  const tab = await openTab(url, person, member)
  await untilFrame(tab, 'ready')
  return tab
}

test('reports presence and events of one process through another, and nothing to Rival', async context => {
  const stage = await prepare(context)
  const { acme, rival, one, other, olga, omar, rita } = stage
  const [watcher, outsider] = [await listenAt(other, olga, acme), await listenAt(other, rita, rival)]
  const tab = await listenAt(one, omar, acme)
  await untilPresence(watcher, isOnline(omar))
  const ticket = await makeTicket(createClient(`${one.url}/api/v1`, acme.key.key))
  await untilFrame(watcher, 'log', ({ data }) => data.data.ticket_id === ticket.id)
  const sight = { tab: tab.tab, ticket_id: ticket.id, is_typing: true }
  assert.equal((await omar.api.post('/presence', sight)).status, 204)
  await untilPresence(watcher, presence => sightOf(omar)(presence)?.is_typing)
  tab.close()
  await untilPresence(watcher, presence => !sightOf(omar)(presence))
  const received = JSON.stringify(outsider.frames)
  assert.ok(!received.includes(omar.id) && !received.includes(ticket.id), received)
  watcher.close()
  outsider.close()
})

test('reports a person offline once, after their last tab in any process has closed', async context => {
  const stage = await prepare(context)
  const { db, acme, one, other, omar } = stage
  const tabs = [await listenAt(one, omar, acme), await listenAt(other, omar, acme)]
  assert.deepEqual(await statusesOf(stage, omar), ['online'])
  tabs[0]!.close()
  await until(async () => (await countTabs(stage, omar)) === 1)
  tabs[1]!.close()
  await until(async () => (await countTabs(stage, omar)) === 0)
  const isNoted = async () => (await db`select from operators where absent_since is not null`).length
  await until(isNoted)
  assert.deepEqual(await statusesOf(stage, omar), ['online'])
  await db`update operators set absent_since = absent_since - interval '30 seconds' where id = ${omar.id}`
  await db`update due_work set due_at = now() where kind = 'presence'`
  await until(async () => (await statusesOf(stage, omar)).length > 1)
  await listenAt(other, omar, acme)
  assert.deepEqual(await statusesOf(stage, omar), ['online', 'offline', 'online'])
})

test('removes the tabs of a killed process after they have been silent', async context => {
  const stage = await prepare(context)
  const { db, acme, one, other, olga, omar } = stage
  const watcher = await listenAt(other, olga, acme)
  const tab = await listenAt(one, omar, acme)
  await omar.api.post('/presence', { tab: tab.tab, ticket_id: acme.id, is_typing: false })
  await untilPresence(watcher, sightOf(omar))
  await stopServer(one, 'SIGKILL')
  await tab.ended
  assert.equal(await countTabs(stage, omar), 1)
  await db`update open_tabs set seen_at = seen_at - interval '45 seconds' where tab = ${tab.tab}`
  await db`update due_work set due_at = now() where kind = 'presence'`
  await untilPresence(watcher, presence => !sightOf(omar)(presence))
  await until(async () => (await countTabs(stage, omar)) === 0)
  watcher.close()
})

test('a stop ends the streams in time, and a page that reconnects to another process receives what it missed', async context => {
  const stage = await prepare(context)
  const { acme, one, other, omar } = stage
  const tabs = await Promise.all([1, 2, 3].map(() => listenAt(one, omar, acme)))
  const ready = await untilFrame(tabs[0]!, 'ready')
  const stopping = stopServer(one)
  // Streams that a stop has not ended after ten seconds are cut off.
  assert.deepEqual(await Promise.all(tabs.map(({ ended }) => ended)), [true, true, true])
  assert.equal((await stopping).status, 0)
  const ticket = await makeTicket(createClient(`${other.url}/api/v1`, acme.key.key))
  const headers = { 'last-event-id': String(ready.id) }
  const again = await openTab(other.url, omar, acme, { tab: tabs[0]!.tab, headers })
  await untilFrame(again, 'log', ({ data }) => data.data.ticket_id === ticket.id)
  assert.deepEqual(await statusesOf(stage, omar), ['online'])
  again.close()
})
