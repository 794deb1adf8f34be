import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../../test/client.ts'
import { openTab, untilPresence } from '../../../test/live.ts'
import { joinProject, type Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { ask, begin, open, originOf, startDesk } from '../../../test/widget.ts'

/** How long an operator's reply waits so that it can be undone, and who sees that it waits. */

let server: TestServer
let omar: Person
let olga: Person
before(async () => {
  ;({ server, omar } = await startDesk())
  olga = await joinProject(server, server.acme, { name: 'Olga', role: 'admin' })
})
after(() => server.close())

interface Posted {
  id: string
  created_at: string
  send_at: string | null
  delivery: { status: string }
}

async function reply(ticketId: string, fields: object = {}): Promise<Posted> {
  const answer = await omar.api.post(`/tickets/${ticketId}/messages`, {
    content: 'Hi',
    can_undo: true,
    ...fields,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const waitOf = ({ created_at, send_at }: Posted): number =>
  send_at ? Math.round((Date.parse(`${send_at}Z`) - Date.parse(`${created_at}Z`)) / 1_000) : 0

test('a reply to a visitor in the chat is sent at once, and one to a visitor who has left can be undone first', async () => {
  const guest = await begin(server)
  const ticket = await ask(guest)
  assert.equal(waitOf(await reply(ticket.id)), 10)
  const tab = await open(server, guest)
  const look = (is_watching: boolean) =>
    guest.api.post('/presence', { tab: tab.tab, is_watching, ticket_id: ticket.id })
  assert.equal((await look(true)).status, 204)
  const sent = await reply(ticket.id)
  assert.deepEqual([waitOf(sent), sent.delivery.status], [0, 'sent'])
  await look(false)
  assert.equal(waitOf(await reply(ticket.id)), 10)
  tab.close()
})

test('the undo time depends on the channel: messengers and custom channels send at once', async () => {
  const { id } = await makeTicket(server.api)
  const waitIn = async (channel: string) => {
    await server.db`update tickets set channel = ${channel} where project_id = ${server.acme.id} and id = ${id}`
    return waitOf(await reply(id))
  }
  for (const [channel, seconds] of [
    ['email', 10],
    ['api', 10],
    ['telegram', 0],
    ['sms', 0],
  ] as const)
    assert.equal(await waitIn(channel), seconds, channel)
  assert.equal(waitOf(await reply(id, { is_internal: true })), 0)
})

test('a project can set the undo time of each channel, and the change is in the audit log', async () => {
  const { body } = await olga.api.get('/inbox-settings')
  assert.deepEqual(body.undo_seconds, { widget: 10, email: 10, api: 10, telegram: 0, other: 0 })
  const undo_seconds = { ...body.undo_seconds, api: 3, email: 0 }
  assertEnvelope(await omar.api.patch('/inbox-settings', { undo_seconds }), 403, 'ROLE_REQUIRED')
  assertProblems(
    await olga.api.patch('/inbox-settings', { undo_seconds: { ...undo_seconds, api: 31 } }),
    'body.undo_seconds.api',
  )
  const saved = await olga.api.patch('/inbox-settings', { undo_seconds })
  assert.deepEqual(saved.body.undo_seconds, undo_seconds)
  assert.equal(waitOf(await reply((await makeTicket(server.api)).id)), 3)
  const [entry] = (await olga.api.get('/audit?action=inbox')).body.items
  assert.deepEqual(entry.detail, { undo_seconds })
  await olga.api.patch('/inbox-settings', { undo_seconds: body.undo_seconds })
})

test('a colleague sees that a reply is about to be sent, before sending another', async () => {
  const ticket = await ask(await begin(server))
  const { items } = (await olga.api.get(`/tickets/${ticket.id}/messages`)).body
  const tab = await openTab(originOf(server), olga, server.acme)
  const waiting = await reply(ticket.id, { can_undo: undefined, undo_seconds: 30 })
  const sends = { ticket_id: ticket.id, operator_id: omar.id }
  const isTold = ({ sending }: { sending: object[] }) =>
    sending.some(one => JSON.stringify(one) === JSON.stringify(sends))
  await untilPresence(tab, isTold)
  const write = { content: 'Me too', last_seen_message_id: items.at(-1).id, unless_newer: true }
  const refused = await olga.api.post(`/tickets/${ticket.id}/messages`, write)
  assertEnvelope(refused, 409, 'NEWER_MESSAGES')
  assert.deepEqual(
    refused.body.detail.messages.map(({ id }: Posted) => id),
    [waiting.id],
  )
  assert.equal((await omar.api.delete(`/messages/${waiting.id}`)).status, 200)
  await untilPresence(tab, presence => !isTold(presence))
  assert.equal((await olga.api.post(`/tickets/${ticket.id}/messages`, write)).status, 201)
  tab.close()
})

test('a scheduled reply causes no warning', async () => {
  const ticket = await ask(await begin(server))
  const { items } = (await olga.api.get(`/tickets/${ticket.id}/messages`)).body
  await reply(ticket.id, { send_at: '2999-01-01' })
  const write = { content: 'Me too', last_seen_message_id: items.at(-1).id, unless_newer: true }
  assert.equal((await olga.api.post(`/tickets/${ticket.id}/messages`, write)).status, 201)
})
