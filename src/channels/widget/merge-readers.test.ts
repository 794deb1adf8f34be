import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket, nobody, unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { joinProject, type Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { ask, begin, signIn, startDesk } from '../../../test/widget.ts'

/** What the dashboard says about chat visitors before a merge. */

let server: TestServer
let omar: Person
let rita: Person
before(async () => {
  ;({ server, omar } = await startDesk())
  rita = await joinProject(server, server.rival, { name: 'Rita' })
})
after(() => server.close())

const readers = async (from: { id: string }, into: { id: string }) => {
  const { status, body, text } = await omar.api.get(`/tickets/${from.id}/merge-readers/${into.id}`)
  assert.equal(status, 200, text)
  return [body.kept, body.merged]
}

test('of two visitors, the one whose ticket remains keeps their own part and the other loses access', async () => {
  const [one, other] = [await ask(await begin(server)), await ask(await begin(server))]
  assert.deepEqual(await readers(one, other), ['own', 'nothing'])
  const bare = await makeTicket(server.api)
  assert.deepEqual(await readers(bare, one), ['own', 'nobody'])
  assert.deepEqual(await readers(one, bare), ['nobody', 'nothing'])
})

test('after a merge, a visitor of both tickets or the proved contact on two devices still sees everything', async () => {
  const guest = await begin(server)
  assert.deepEqual(await readers(await ask(guest), await ask(guest)), ['all', 'all'])
  const user = { id: unique() }
  const [phone, desktop] = [await signIn(server, user), await signIn(server, user)]
  assert.deepEqual(await readers(await ask(phone), await ask(desktop)), ['all', 'all'])
})

test('answers 404 if a ticket does not exist or belongs to another project', async () => {
  const ticket = await ask(await begin(server))
  const at = (id: string, into: string) => `/tickets/${id}/merge-readers/${into}`
  for (const id of [nobody, 'x'])
    assertEnvelope(await omar.api.get(at(ticket.id, id)), 404, 'TICKET_NOT_FOUND')
  const theirs = await makeTicket(server.outsider)
  assertEnvelope(await rita.api.get(at(theirs.id, ticket.id)), 404, 'TICKET_NOT_FOUND')
})
