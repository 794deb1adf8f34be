import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { openTab, type Presence, type Sight, type Tab, untilFrame, untilPresence } from '../../test/live.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { newId } from '../core/ids.ts'

let server: TestServer
let origin: string
let cast: Record<'olga' | 'omar' | 'rita', Person>
/** The tabs of Olga, who sees what her colleagues do, and of Rita, who must not see it. */
let watcher: Tab
let outsider: Tab

before(async () => {
  server = await startServer({ delivers: false })
  origin = new URL(server.url).origin
  cast = await joinCast(server)
  watcher = await openTab(origin, cast.olga, server.acme)
  outsider = await openTab(origin, cast.rita, server.rival)
})
after(() => server.close())

const show = (person: Person, tab: string, ticket_id: string | null, more: Partial<Sight> = {}) =>
  person.api.post('/presence', { tab, ticket_id, is_typing: false, ...more })

/** A new operator with a tab that shows a new ticket. */
async function enter(more: Partial<Sight> = {}) {
  const person = await joinProject(server, server.acme)
  const tab = await openTab(origin, person, server.acme)
  const { id: ticket_id } = await makeTicket(server.api)
  assert.equal((await show(person, tab.tab, ticket_id, more)).status, 204)
  const sightOf = ({ tickets }: Presence) => tickets.find(one => one.operator_id === person.id)
  const sight = (await untilPresence(watcher, sightOf)).tickets.find(one => one.operator_id === person.id)
  return { person, tab, ticket_id, sight, sightOf }
}

test('colleagues see who looks at a ticket, and Rival does not', async () => {
  const { person, tab, ticket_id, sight, sightOf } = await enter()
  assert.deepEqual(sight, { operator_id: person.id, ticket_id, is_typing: false, is_internal: false })
  const { operators } = await untilPresence(watcher, sightOf)
  const status = { status: 'online', status_text: null, status_emoji: null }
  assert.deepEqual(
    operators.find(one => one.operator_id === person.id),
    { operator_id: person.id, ...status },
  )
  await show(person, tab.tab, null)
  await untilPresence(watcher, presence => !sightOf(presence))
  await untilPresence(outsider, presence => presence.operators.length)
  const presences = outsider.frames.filter(({ event }) => event === 'presence').map(({ data }) => data)
  assert.deepEqual(presences.at(-1), {
    tickets: [],
    sending: [],
    visitors: [],
    reads: [],
    operators: [{ operator_id: cast.rita.id, ...status }],
  })
  tab.close()
})

test('a tab of Rival that names a ticket of Acme is not shown to Acme', async () => {
  const { id } = await makeTicket(server.api)
  assert.equal((await show(cast.rita, outsider.tab, id, { is_typing: true })).status, 204)
  const { tab, sightOf } = await enter()
  const { tickets, operators } = await untilPresence(watcher, sightOf)
  assert.ok(tickets.every(({ ticket_id }) => ticket_id !== id))
  assert.ok(operators.every(({ operator_id }) => operator_id !== cast.rita.id))
  await show(cast.rita, outsider.tab, null)
  tab.close()
})

test('typing is shown, with whether it is a note, and ends automatically', async () => {
  const { person, tab, ticket_id, sightOf } = await enter({ is_typing: true, is_internal: true })
  const typing = await untilPresence(watcher, presence => sightOf(presence)?.is_typing)
  assert.equal(sightOf(typing)!.is_internal, true)
  await show(person, tab.tab, ticket_id, { is_typing: true })
  await untilPresence(watcher, presence => sightOf(presence)?.is_internal === false)
  const [row] = await server.db`
    select extract(epoch from typing_until - seen_at)::float as seconds from open_tabs where tab = ${tab.tab}`
  assert.equal(row!.seconds, 6)
  await server.db`update open_tabs set typing_until = now() where tab = ${tab.tab}`
  const still = await untilPresence(watcher, presence => sightOf(presence)?.is_typing === false)
  assert.equal(sightOf(still)!.ticket_id, ticket_id)
  tab.close()
})

test('a tab whose stream is closed disappears', async () => {
  const { tab, sightOf } = await enter()
  tab.close()
  await untilPresence(watcher, presence => !sightOf(presence))
})

test('a tab that reconnects before its old stream has ended stays', async () => {
  const [one, other] = [await enter(), await enter()]
  const again = await openTab(origin, one.person, server.acme, { tab: one.tab.tab })
  await untilFrame(again, 'ready')
  for (const { tab } of [one, other]) tab.close()
  const left = await untilPresence(watcher, presence => !other.sightOf(presence))
  assert.equal(one.sightOf(left)?.ticket_id, one.ticket_id)
  again.close()
})

test('a tab that stops reporting disappears', async () => {
  const { tab, sightOf } = await enter()
  await server.db`update open_tabs set seen_at = now() - interval '46 seconds' where tab = ${tab.tab}`
  await untilPresence(watcher, presence => !sightOf(presence))
  tab.close()
})

test('accepts presence only from the person of the tab, while its stream is open', async () => {
  const { person, tab, ticket_id, sightOf } = await enter()
  const wrong = [
    await show(person, newId(), ticket_id),
    await show(cast.omar, tab.tab, ticket_id),
    await show(cast.rita, tab.tab, ticket_id),
  ]
  for (const answer of wrong) assertEnvelope(answer, 404, 'TAB_NOT_OPEN')
  assertProblems(await person.api.post('/presence', { tab: 'x', ticket_id, is_typing: 1 }), 'body.is_typing')
  assert.equal(sightOf(await untilPresence(watcher, sightOf))!.ticket_id, ticket_id)
  tab.close()
})

test('presence reports that change nothing are not sent to others', async () => {
  const { person, tab, ticket_id } = await enter()
  // The tabs of other tests disappear a moment after they are closed.
  await untilPresence(watcher, ({ tickets }) => tickets.every(one => one.operator_id === person.id))
  const before = watcher.frames.length
  for (let count = 0; count < 5; count++) await show(person, tab.tab, ticket_id)
  const last = await enter()
  const presences = watcher.frames.slice(before).filter(({ event }) => event === 'presence')
  assert.ok(
    presences.every(({ data }) => data.operators.length),
    'a presence is whole',
  )
  assert.ok(presences.length <= 3, `${presences.length} times for one who came, and looked at a ticket`)
  for (const one of [tab, last.tab]) one.close()
})

test('refuses too many reports from one tab, without affecting colleagues', async () => {
  const { person, tab, ticket_id } = await enter()
  const flood = Array.from({ length: 640 }, () => show(person, tab.tab, ticket_id))
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status !== 204)
  assert.equal(refused.length, 41)
  assertEnvelope(refused[0]!, 429, 'RATE_LIMIT_EXCEEDED')
  assert.ok(Number(refused[0]!.headers.get('retry-after')) > 0)
  const other = await enter()
  for (const one of [tab, other.tab]) one.close()
})
