import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unique } from '../../../test/cast.ts'
import { openTab, untilFrame, untilPresence } from '../../../test/live.ts'
import { joinProject, type Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { ask, begin, open, originOf, reply, signIn, startDesk } from '../../../test/widget.ts'

let server: TestServer
let omar: Person
before(async () => {
  ;({ server, omar } = await startDesk())
})
after(() => server.close())

test('operators with the ticket open see until when the visitor has read it, and Rival does not', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const rita = await joinProject(server, server.rival)
  const [desk, theirs] = [
    await openTab(originOf(server), omar, server.acme),
    await openTab(originOf(server), rita, server.rival),
  ]
  await omar.api.post('/presence', { tab: desk.tab, ticket_id: id, is_typing: false })
  await untilPresence(desk, ({ tickets }) => tickets.some(one => one.ticket_id === id))
  const { created_at } = await reply(omar, id, 'Have you read this?')
  await guest.api.put(`/tickets/${id}/read`)
  const { reads } = await untilPresence(desk, one => one.reads.some(({ ticket_id }) => ticket_id === id))
  assert.ok(Date.parse(reads.find(({ ticket_id }) => ticket_id === id)!.read_at) >= Date.parse(created_at))
  assert.ok(!JSON.stringify(theirs.frames).includes(id))
  desk.close()
  theirs.close()
})

test('the visitor sees that an operator has read the message until the next message, and other visitors do not', async () => {
  const [guest, other] = [await begin(server), await begin(server)]
  const { id, seen_at, created_at } = await ask(guest)
  assert.equal(seen_at, null)
  const [tab, foreign] = [await open(server, guest), await open(server, other)]
  await omar.api.post(`/tickets/${id}/read`)
  const { data } = await untilFrame(tab, 'ticket', frame => frame.data.seen_at !== null)
  assert.ok(Date.parse(data.seen_at) >= Date.parse(created_at))
  await guest.api.post(`/tickets/${id}/messages`, { content: 'And this?' })
  assert.equal((await guest.api.get(`/tickets/${id}`)).body.seen_at, null)
  const own = await ask(other)
  await untilFrame(foreign, 'ticket', frame => frame.data.id === own.id)
  assert.ok(!JSON.stringify(foreign.frames).includes(id))
  tab.close()
  foreign.close()
})

test("reading a ticket in one tab marks it as read in the visitor's other tabs", async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const [one, two] = [await open(server, guest), await open(server, guest)]
  await reply(omar, id, 'News')
  for (const tab of [one, two]) await untilFrame(tab, 'ticket', ({ data }) => data.unread_count === 1)
  await guest.api.put(`/tickets/${id}/read`)
  const last = () => two.frames.findLast(({ event }) => event === 'ticket')
  await two.until(() => last()?.data.unread_count === 0)
  one.close()
  two.close()
})

test('when a ticket is merged, its visitors and those of the remaining ticket are told to read their lists again', async () => {
  const [guest, unrelated] = [await signIn(server, { id: unique() }), await begin(server)]
  const anonymous = await begin(server)
  const [target, source, loose] = [await ask(guest), await ask(guest), await ask(anonymous)]
  const [tab, lost, other] = [
    await open(server, guest),
    await open(server, anonymous),
    await open(server, unrelated),
  ]
  const merge = (id: string) =>
    server.api.post(`/tickets/${id}/merge`, { into_ticket_id: target.id, force: true })
  assert.equal((await merge(source.id)).status, 200)
  await untilFrame(tab, 'gap')
  assert.equal((await guest.api.get(`/tickets/${source.id}`)).status, 404)
  await merge(loose.id)
  await untilFrame(lost, 'gap')
  assert.ok(!JSON.stringify(lost.frames).includes(target.id))
  assert.ok(other.frames.every(({ event }) => event !== 'gap'))
  for (const one of [tab, lost, other]) one.close()
})
