import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { systemTexts } from '../../src/tickets/system-texts.ts'
import {
  makeContact,
  makeDepartment,
  makeMessage,
  makeOperator,
  makeTicket,
  typesOf,
  unique,
} from '../cast.ts'
import { startServer } from '../server.ts'

/**
 * docs/api.md lists the events that each call causes. This test makes each call in the form that causes the
 * most.
 */

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

const operator = await makeOperator(db, acme)
const department = await makeDepartment(db, acme)
const contact = { email: `${unique()}@example.com` }
const ticket = () => makeTicket(api, { contact })
const [message] = [await makeMessage(api, (await ticket()).id)]
const acts: Record<string, () => Promise<() => Promise<unknown>>> = {
  'POST /tickets': async () => () =>
    makeTicket(api, { operator_id: operator.id, status: 'closed', content: 'Hello' }),
  'PATCH /tickets/{ticket_id}': async () => {
    const { id } = await ticket()
    const change = { operator_id: operator.id, department_id: department.id, status: 'closed', tags: ['vip'] }
    return () => api.patch(`/tickets/${id}`, change)
  },
  'POST /tickets/{ticket_id}/close': async () => {
    const { id } = await ticket()
    return () => api.post(`/tickets/${id}/close`, { comment: 'Done' })
  },
  'POST /tickets/{ticket_id}/reopen': async () => {
    const { id } = await ticket()
    await api.post(`/tickets/${id}/close`)
    return () => api.post(`/tickets/${id}/reopen`, { comment: 'Again' })
  },
  'POST /tickets/{ticket_id}/rate': async () => {
    const { id } = await ticket()
    return () => api.post(`/tickets/${id}/rate`, { rating: 5, comment: 'Thanks' })
  },
  'POST /tickets/{ticket_id}/merge': async () => {
    const [{ id }, target] = [await ticket(), await ticket()]
    return () => api.post(`/tickets/${id}/merge`, { into_ticket_id: target.id })
  },
  'POST /tickets/{ticket_id}/messages': async () => {
    const { id } = await ticket()
    return () => makeMessage(api, id)
  },
  'PATCH /messages/{message_id}': async () => () =>
    api.patch(`/messages/${message.id}`, { content: unique() }),
  'POST /contacts/{contact_id}/merge': async () => {
    const [{ contact_id }, target] = [await makeTicket(api), await makeContact(api)]
    return () => api.post(`/contacts/${contact_id}/merge`, { into_contact_id: target.id })
  },
}

/** The rows of the table, as `call` and the events it names. */
const documented = [
  ...readFileSync('docs/api.md', 'utf8').matchAll(/^\| `([A-Z]+ \/[^`]+)` \| (.+) \|$/gm),
].map(([, call, events]) => ({
  call: call!,
  events: [...events!.matchAll(/`((?:ticket|message)\.\w+)`/g)].map(([, name]) => name!),
}))

for (const { call, events } of documented) {
  test(`${call} causes the events that docs/api.md names`, async () => {
    const act = await acts[call]!()
    const types = await typesOf(server, act)
    assert.deepEqual(types, call.endsWith('/{ticket_id}/merge') ? [...events, 'ticket.updated'] : events)
  })
}

test('docs/api.md lists every such call, and calls that it describes as silent cause no event', async () => {
  assert.deepEqual(
    documented.map(({ call }) => call),
    Object.keys(acts),
  )
  const { id } = await makeContact(api)
  const silent = async () => {
    await api.patch(`/contacts/${id}`, { full_name: 'Ann Lee', is_blocked: true })
    await makeContact(api)
    const scheduled = await makeMessage(api, (await ticketBefore).id, { send_at: '2999-01-01' })
    assert.equal(scheduled.delivery.status, 'scheduled')
  }
  const ticketBefore = ticket()
  await ticketBefore
  assert.deepEqual(await typesOf(server, silent), [])
})

test('docs/api.md and the OpenAPI document name every kind of system message', () => {
  const [, section] = readFileSync('docs/api.md', 'utf8').split('### System messages in a conversation')
  const kinds = [...section!.split(/^##/m)[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind!)
  assert.deepEqual([...kinds].sort(), Object.keys(systemTexts).sort())
  const { description } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')).components.schemas.Message
    .properties.system
  for (const kind of kinds) assert.ok(description.includes(`\`${kind}\``), kind)
})
