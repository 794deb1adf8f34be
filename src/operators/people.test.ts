import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, type Member, makeDepartment, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { createProject } from '../projects/projects.ts'

let server: TestServer
let olga: Person
let omar: Person
before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, omar } = await joinCast(server))
})
after(() => server.close())

const change = (by: Person, of: Person, fields: object) => by.api.patch(`/operators/${of.id}`, fields)
const remove = (by: Person, of: Person) => by.api.delete(`/operators/${of.id}`)

/** Creates a separate project, so that its owners can be counted. */
async function makeProject(): Promise<Member> {
  const { id, name } = await createProject(server.db, { name: `P ${unique()}` })
  return { id, name, key: server.acme.key }
}

test('people are sorted by name, with their role and whether they have joined', async () => {
  const project = await makeProject()
  const olga = await joinProject(server, project, { name: 'Olga', role: 'owner' })
  await olga.api.post('/operators', { name: 'Ada', email: `${unique()}@example.com` })
  const { body } = await olga.api.get('/operators')
  assert.partialDeepStrictEqual(body.items, [
    { name: 'Ada', role: 'operator', has_account: false, last_seen_at: null },
    { name: 'Olga', role: 'owner', has_account: true, invitation_expires_at: null },
  ])
  assert.ok(body.items[0].invitation_expires_at)
  assert.ok(body.items[1].last_seen_at)
})

test('an invitation stores the address in the normalized form of accounts', async () => {
  const own = unique()
  const { body } = await olga.api.post('/operators', {
    name: 'Ada',
    email: `ADA.${own}@XN--BCHER-KVA.example`,
  })
  assert.equal(body.operator.email, `ada.${own}@bücher.example`)
  const again = await olga.api.post('/operators', { name: 'Ada', email: `ada.${own}@BÜCHER.example` })
  assertEnvelope(again, 409, 'OPERATOR_EXISTS')
})

test('an owner changes name, role and departments of operators', async () => {
  const department = await makeDepartment(server.db, server.acme, unique())
  const answer = await change(olga, omar, { name: 'Omar O', role: 'admin', department_ids: [department.id] })
  assert.partialDeepStrictEqual(answer.body, {
    name: 'Omar O',
    role: 'admin',
    department_ids: [department.id],
  })
  const [entry] = (await olga.api.get(`/audit?action=operator.changed&target_id=${omar.id}`)).body.items
  assert.partialDeepStrictEqual(entry, {
    author_name: 'Olga',
    detail: { role: 'admin', role_before: 'operator' },
  })
  assert.equal((await change(olga, omar, { role: 'operator', department_ids: [] })).status, 200)
})

test("a person cannot be put into another project's department", async () => {
  const theirs = await makeDepartment(server.db, server.rival, unique())
  const answer = await change(olga, omar, { department_ids: [theirs.id] })
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'department_ids', reason: 'not_found' })
})

test('only owners can create, change or remove owners', async () => {
  const admin = await joinProject(server, server.acme, { name: 'Adam', role: 'admin' })
  const owner = { role: 'owner' }
  assertEnvelope(await change(admin, omar, owner), 403, 'ROLE_REQUIRED', owner)
  assertEnvelope(await change(admin, olga, { role: 'operator' }), 403, 'ROLE_REQUIRED', owner)
  assertEnvelope(await change(admin, olga, { name: 'Nobody' }), 403, 'ROLE_REQUIRED', owner)
  assertEnvelope(await remove(admin, olga), 403, 'ROLE_REQUIRED', owner)
  const nina = { name: 'Nina', email: `${unique()}@example.com`, role: 'owner' }
  assertEnvelope(await admin.api.post('/operators', nina), 403, 'ROLE_REQUIRED', owner)
  assert.equal((await olga.api.post('/operators', nina)).status, 201)
})

test('the last owner can be neither removed nor given a lower role', async () => {
  assertEnvelope(await change(olga, olga, { role: 'admin' }), 409, 'LAST_OWNER')
  assertEnvelope(await remove(olga, olga), 409, 'LAST_OWNER')
  assert.equal((await olga.api.get(`/operators/${olga.id}`)).body.role, 'owner')
})

test('if two owners demote each other concurrently, one stays owner', async () => {
  const project = await makeProject()
  const [one, two] = await Promise.all([
    joinProject(server, project, { name: 'One', role: 'owner' }),
    joinProject(server, project, { name: 'Two', role: 'owner' }),
  ])
  const answers = await Promise.all([
    change(one, two, { role: 'admin' }),
    change(two, one, { role: 'admin' }),
  ])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const [row] = await server.db`select count(*)::int as count from operators
    where project_id = ${project.id} and role = 'owner'`
  assert.equal(row!.count, 1)
})

test('a removed person loses access at the next request and is in no list', async () => {
  const person = await joinProject(server, server.acme, { name: 'Leaver' })
  assert.equal((await person.api.get('/tickets')).status, 200)
  assert.equal((await remove(olga, person)).status, 204)
  assertEnvelope(await person.api.get('/tickets'), 401, 'SESSION_REQUIRED')
  const listed = await server.api.get('/operators?page_size=100')
  assert.ok(!listed.text.includes(person.id))
  assertEnvelope(await olga.api.get(`/operators/${person.id}`), 404, 'OPERATOR_NOT_FOUND')
})

test('removing a person who is not offline emits a change of status to offline', async () => {
  const person = await joinProject(server, server.acme)
  await person.api.put('/me/status', { status: 'away', text: 'On the phone', emoji: '📞' })
  const absent = await joinProject(server, server.acme)
  const events = await eventsOf(server, async () => {
    for (const one of [person, absent]) assert.equal((await remove(olga, one)).status, 204)
  })
  const data = { user_id: person.id, status: 'offline', status_text: null, status_emoji: null }
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [['operator.status.changed', data]],
  )
})

test('a person removed from one project stays in the others', async () => {
  const person = await joinProject(server, server.acme, { name: 'Both' })
  const other = await makeProject()
  const owner = await joinProject(server, other, { role: 'owner' })
  const invited = await owner.api.post('/operators', { name: 'Both', email: person.email })
  await person.own.post(`/links/${invited.body.link.url.split('/link/')[1]}`, {})
  assert.equal((await remove(olga, person)).status, 204)
  assertEnvelope(await person.api.get('/tickets'), 404, 'PROJECT_NOT_FOUND')
  assert.equal((await person.of(other).get('/tickets')).status, 200)
})

test('open tickets of a removed person become unassigned; closed ones keep the name', async () => {
  const person = await joinProject(server, server.acme, { name: 'Leaver' })
  const open = await makeTicket(server.api, { operator_id: person.id })
  const closed = await makeTicket(server.api, { operator_id: person.id })
  await server.api.post(`/tickets/${closed.id}/close`)
  const events = await eventsOf(server, () => remove(olga, person))
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.ticket_id]),
    [['ticket.updated', open.id]],
  )
  assert.equal((await server.api.get(`/tickets/${open.id}`)).body.operator, null)
  assert.equal((await server.api.get(`/tickets/${closed.id}`)).body.operator.name, 'Leaver')
  assert.equal((await server.api.patch(`/tickets/${closed.id}`, { subject: 'Changed' })).status, 200)
  const reopened = await server.api.post(`/tickets/${closed.id}/reopen`)
  assert.equal(reopened.body.operator, null)
  const answer = await server.api.patch(`/tickets/${open.id}`, { operator_id: person.id })
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'operator_id', reason: 'not_found' })
})

test('a person who comes back is the same operator as before', async () => {
  const person = await joinProject(server, server.acme, { name: 'Returner' })
  await remove(olga, person)
  const again = await olga.api.post('/operators', { name: 'Returner', email: person.email })
  assert.equal(again.body.operator.id, person.id)
  const browser = openBrowser(server)
  await browser.auth.post('/sign-in/email', { email: person.email, password })
  const path = `/links/${again.body.link.url.split('/link/')[1]}`
  assert.equal((await browser.own.post(path, {})).status, 200)
  assert.equal((await browser.of(server.acme).get('/tickets')).status, 200)
})

test("the plan's seats count current and invited people", async () => {
  const project = await makeProject()
  const code = `plan_${unique()}`
  await server.db`insert into plans (code, name, operator_seats) values (${code}, 'Small', 2)`
  await server.db`update projects set plan = ${code} where id = ${project.id}`
  const owner = await joinProject(server, project, { role: 'owner' })
  const invite = () => owner.api.post('/operators', { name: 'Nina', email: `${unique()}@example.com` })
  const answers = await Promise.all([invite(), invite(), invite()])
  const taken = answers.filter(({ status }) => status === 201)
  assert.equal(taken.length, 1)
  assertEnvelope(await invite(), 403, 'OPERATOR_LIMIT_REACHED', { seats: 2 })
  await owner.api.delete(`/operators/${taken[0]!.body.operator.id}`)
  assert.equal((await invite()).status, 201)
})

test("a person's new name is shown in the project, and omitted settings do not change", async () => {
  const person = await joinProject(server, server.acme, { name: 'Ann' })
  await person.own.patch('/me', { settings: { theme: 'dark', language: 'de' } })
  const { body } = await person.own.patch('/me', { name: 'Anna', settings: { theme: 'light' } })
  assert.deepEqual([body.user.name, body.user.settings], ['Anna', { theme: 'light', language: 'de' }])
  assert.equal((await olga.api.get(`/operators/${person.id}`)).body.name, 'Anna')
})
