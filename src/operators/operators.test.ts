import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeOperator, makeTicket } from '../../test/cast.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { createOperator } from './operator-rows.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test('operators and departments are listed with their members, and not to Rival', async () => {
  const { db, acme, api, outsider } = server
  const billing = await makeDepartment(db, acme, 'Billing')
  const sales = await makeDepartment(db, acme, 'Sales')
  const omar = await createOperator(db, acme.id, {
    name: 'Omar',
    email: 'omar@example.com',
    role: 'admin',
    department: 'sales',
  })
  const operators = await api.get('/operators')
  assert.equal(operators.status, 200)
  assert.deepEqual(operators.body.items, [omar])
  assert.deepEqual([omar.role, omar.status, omar.department_ids], ['admin', 'offline', [sales.id]])
  const departments = await api.get('/departments')
  assert.deepEqual(
    departments.body.items.map(({ id, name, is_default, operator_ids }: typeof sales) => ({
      id,
      name,
      is_default,
      operator_ids,
    })),
    [
      { id: billing.id, name: 'Billing', is_default: true, operator_ids: [] },
      { id: sales.id, name: 'Sales', is_default: false, operator_ids: [omar.id] },
    ],
  )
  for (const path of ['/operators', '/departments']) {
    assert.deepEqual((await outsider.get(path)).body.items, [])
  }
})

test('a ticket is assigned to an operator and a department by their ids', async () => {
  const { db, acme, api } = server
  const operator = await makeOperator(db, acme, 'Olga')
  const department = await makeDepartment(db, acme, 'Support')
  const { id } = await makeTicket(api)
  const { status, body } = await api.patch(`/tickets/${id}`, {
    operator_id: operator.id,
    department_id: department.id,
  })
  assert.equal(status, 200)
  assert.deepEqual([body.operator.name, body.department_name], ['Olga', 'Support'])
})

test('an address is unique in a project, ignoring case; another project can have it too', async () => {
  const { db, acme, rival } = server
  const input = { name: 'Vera', email: 'vera@example.com' }
  await createOperator(db, acme.id, input)
  await assert.rejects(createOperator(db, acme.id, { ...input, email: 'Vera@Example.com' }), /already has/)
  await createOperator(db, rival.id, input)
})

test("an operator cannot join another project's department", async () => {
  const { db, acme, rival } = server
  const theirs = await makeDepartment(db, rival)
  const joining = createOperator(db, acme.id, { name: 'Eve', email: 'eve@x.io', department: theirs.id })
  await assert.rejects(joining, /Department "[^"]+" does not exist/)
})
