import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, makeDepartment, makeOperator, makeTicket } from '../cast.ts'
import { startServer } from '../server.ts'
import { productCode } from './sources.ts'

/** The history of a ticket contains every change. */

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

/** Columns whose changes are not recorded, with reasons. */
const unrecorded: Record<string, string> = {
  project_id: 'never changes',
  id: 'never changes',
  number: 'never changes',
  created_at: 'never changes',
  channel: 'never changes',
  language: 'is set when the ticket is created',
  over_limit: 'is set when the ticket is created',
  follow_up_of_id: 'is set when the ticket is created',
  version: 'counts the changes',
  search: 'is derived from other columns',
  search_version: 'is derived from other columns',
}

const patch = (fields: object) => (id: string) => api.patch(`/tickets/${id}`, fields)
const post =
  (action: string, body: object = {}) =>
  (id: string) =>
    api.post(`/tickets/${id}/${action}`, body)

/** A change of each recorded column. */
const changes: Record<string, (id: string) => Promise<unknown>> = {
  subject: patch({ subject: 'New' }),
  status: patch({ status: 'pending' }),
  priority: patch({ priority: 'urgent' }),
  contact_id: async id => {
    const { contact_id } = (await api.get(`/tickets/${id}`)).body
    const { id: into_contact_id } = await makeContact(api)
    await api.post(`/contacts/${contact_id}/merge`, { into_contact_id })
  },
  operator_id: async id => patch({ operator_id: (await makeOperator(db, acme)).id })(id),
  department_id: async id => patch({ department_id: (await makeDepartment(db, acme)).id })(id),
  tags: patch({ tags: ['vip'] }),
  custom_fields: patch({ custom_fields: { order: 17 } }),
  external_id: patch({ external_id: 'x-1' }),
  is_spam: patch({ is_spam: true }),
  snoozed_until: patch({ snoozed_until: '2099-01-01T00:00:00Z' }),
  rating: post('rate', { rating: 5 }),
  rating_comment: post('rate', { rating: 5, comment: 'Thanks!' }),
  rated_at: post('rate', { rating: 5 }),
  closed_at: post('close'),
  closed_by: post('close'),
  resolution_secs: post('close'),
  reopened_count: async id => {
    await post('close')(id)
    await post('reopen')(id)
  },
  merged_into_id: async id => post('merge', { into_ticket_id: (await makeTicket(api)).id, force: true })(id),
}

/** Columns whose changes `src/channels/widget/typed.test.ts` tests. */
const ofTheChat = ['contact_identity']

test('changes of each column of tickets are recorded, or there is a reason why not', async () => {
  const columns = await db<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_name = 'tickets' and table_schema = current_schema()`
  assert.deepEqual(
    columns.map(({ name }) => name).toSorted(),
    [...Object.keys(unrecorded), ...Object.keys(changes), ...ofTheChat].toSorted(),
  )
})

for (const [column, change] of Object.entries(changes))
  test(`a change of ${column} is in the history, with its author`, async () => {
    const { id } = await makeTicket(api)
    await change(id)
    const { items } = (await api.get(`/tickets/${id}/history`)).body
    const found = items.find((item: { changes: { field: string }[] }) =>
      item.changes.some(({ field }) => field.split('.')[0] === column),
    )
    assert.deepEqual(found?.by, { type: 'api', id: acme.key.id, name: "Acme's key" })
  })

/** The files with statements that change tickets, and how each records the change, or why it does not. */
const writers: Record<string, string> = {
  'src/tickets/queries.ts': 'updateTicket records the change',
  'src/tickets/handover.ts': 'records the change',
  'src/contacts/queries.ts': 'contacts/merge.ts records the change',
  'src/contacts/ticket-moves.ts': 'records the change',
  'src/imports/removal-queries.ts': 'clears references to tickets that are deleted',
  'src/imports/ticket-queries.ts': 'is part of creating a ticket by an import',
  'src/demo/queries.ts': 'moves the demo into the past',
  'src/demo/remove.ts': 'clears references to records of the demo that are deleted',
}

test('no other file has a statement that changes tickets', () => {
  const found = productCode.filter(({ text }) =>
    /\bupdate tickets\b|updateVersioned\(\w+, 'tickets'/i.test(text),
  )
  assert.deepEqual(
    found.map(({ path }) => path).filter(path => !(path in writers)),
    [],
  )
})
