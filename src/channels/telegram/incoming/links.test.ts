import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { openBot } from '../../../../test/telegram/bots.ts'
import { makePerson, Participant } from '../../../../test/telegram/people.ts'
import { until } from '../../../../test/until.ts'
import { makeStartToken } from '../start-token.ts'

/** A signed link connects one chat, even if two accounts open it at the same time. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

async function makeTicket(email: string) {
  const { body } = await server.api.post('/tickets', { contact: { email }, content: 'By web' })
  return body
}

const tokenOf = (ticketId: string, at = Date.now()) =>
  makeStartToken(server.vault, server.acme.id, { kind: 'ticket', id: ticketId }, at)

async function contentsOf(ticketId: string): Promise<string[]> {
  const { items } = (await server.api.get(`/tickets/${ticketId}/messages`)).body
  return items.map(({ content }: { content: string }) => content)
}

const isWaitingTwice = async () => {
  const rows = await server.db`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length >= 2
}

const links = {
  'one link': (id: string) => [tokenOf(id), tokenOf(id)],
  'two links': (id: string) => [tokenOf(id), tokenOf(id, Date.now() - 5_000)],
}

for (const [what, tokensOf] of Object.entries(links))
  test(`if two accounts open ${what} for a ticket at the same time, only one is connected`, async t => {
    const { standIn, bot, ann, settled } = await openBot(t, server)
    const ben = new Participant(standIn.world, bot, makePerson({ first_name: 'Ben' }))
    const made = await makeTicket(`${what.replace(' ', '.')}@example.com`)
    const [first, second] = tokensOf(made.id)
    await server.db.begin(async sql => {
      await sql`set local idle_in_transaction_session_timeout = 0`
      await sql`select from contacts where id = ${made.contact_id} for update`
      ann.start(first)
      ben.start(second)
      await until(isWaitingTwice)
    })
    await settled()
    ann.say('from Ann')
    ben.say('from Ben')
    await settled()
    assert.equal((await contentsOf(made.id)).length, 2)
    const { identities } = (await server.api.get(`/contacts/${made.contact_id}`)).body
    assert.equal(identities.filter(({ type }: { type: string }) => type === 'telegram').length, 1)
  })

test("a link's button continues the ticket in only one chat", async t => {
  const { standIn, bot, ann, settled } = await openBot(t, server)
  const ben = new Participant(standIn.world, bot, makePerson({ first_name: 'Ben' }))
  ann.say('My own matter')
  ben.say('Another matter')
  await settled()
  const made = await makeTicket('pressed@example.com')
  const token = tokenOf(made.id)
  for (const one of [ann, ben]) {
    one.start(token)
    await settled()
    await until(() => one.received.length > 0)
    one.press(one.received[0]!.message_id, `continue:${token}`)
    one.say(`from ${one.person.first_name}`)
    await settled()
  }
  assert.deepEqual(await contentsOf(made.id), ['By web', 'from Ann'])
})
