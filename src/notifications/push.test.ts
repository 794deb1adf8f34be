import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeTicket } from '../../test/cast.ts'
import { openTab } from '../../test/live.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { type PushService, startPushService } from '../../test/push-service.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { ask, begin, reply, switchOn } from '../../test/widget.ts'
import { claimPushes } from './claim.ts'
import { createPushing } from './notifications.ts'

/** Notifications in the browsers of operators who do not look at Deskbell. */

let server: TestServer
let service: PushService
let status = 201
let olga: Person
let rita: Person

before(async () => {
  server = await startServer({ delivers: false, config: { visitorsPerIp: 1e6 } })
  service = await startPushService(() => status)
  ;({ olga, rita } = await joinCast(server))
  await switchOn(server, server.acme)
})
after(async () => {
  await server.close()
  await service.receiver.close()
})

async function send({ id } = server.acme): Promise<void> {
  const work = createPushing(server)
  while ((await work(server.db, id)) > 0);
}

const choose = ({ own }: Person, notifications: object) => own.patch('/me', { settings: { notifications } })

/** An operator of Acme with a browser that shows notifications. */
async function enter(choice: object = {}) {
  const person = await joinProject(server, server.acme)
  const browser = service.addBrowser()
  assert.equal((await person.own.put('/me/devices', browser.registration)).status, 200)
  await choose(person, choice)
  const read = async () => {
    await send()
    return (await browser.read()).map(({ content }) => content)
  }
  return { person, browser, read, readKinds: async () => (await read()).map(({ kind }) => kind) }
}

/** A visitor's ticket that Olga has assigned to this person, before any notification. */
async function openAssigned({ id }: Person) {
  const guest = await begin(server)
  const ticket = await ask(guest, { content: 'My lamp is dark.' })
  await olga.api.patch(`/tickets/${ticket.id}`, { operator_id: id })
  await server.db`delete from operator_pushes where project_id = ${server.acme.id}`
  const say = (content: string) => guest.api.post(`/tickets/${ticket.id}/messages`, { content })
  return { id: ticket.id as string, number: Number(ticket.short_id), say }
}

test('a message in an own ticket reaches the browser, encrypted and signed by this server, once', async () => {
  const { person, browser, read } = await enter()
  const ticket = await openAssigned(person)
  await ticket.say('Still dark.')
  await send()
  await send()
  const [pushed, ...more] = await browser.read()
  assert.deepEqual(more, [])
  const { id, ...content } = pushed!.content
  assert.deepEqual(content, {
    kind: 'waiting',
    project_id: server.acme.id,
    number: ticket.number,
    subject: 'My lamp is dark.',
    author: null,
    text: 'Still dark.',
  })
  const { topic, ttl, 'content-encoding': encoding } = pushed!.headers
  assert.deepEqual([topic, ttl, encoding], [id.replaceAll('-', ''), '3600', 'aes128gcm'])
  const { public_key, items } = (await person.own.get('/me/devices')).body
  assert.equal(pushed!.serverKey, public_key)
  assert.deepEqual(
    items.map((one: { is_current: boolean; sent_at: string }) => [one.is_current, one.sent_at !== null]),
    [[true, true]],
  )
  await choose(person, { mine: false })
  await ticket.say('Hello?')
  assert.equal((await read()).length, 1, 'not after the person has turned this off')
})

test('an assignment by somebody else and a mention are pushed, but not what the person does', async () => {
  const { person, read } = await enter()
  const ticket = await makeTicket(server.api, { subject: 'Dark lamp', content: 'It went out.' })
  await olga.api.patch(`/tickets/${ticket.id}`, { operator_id: person.id })
  assert.deepEqual(
    (await read()).map(({ kind, text }) => [kind, text]),
    [['assigned', 'It went out.']],
  )
  await reply(olga, ticket.id, 'Please look', { is_internal: true, mentions: [person.id] })
  const last = (await read()).at(-1)
  assert.deepEqual([last.kind, last.author, last.text], ['mentioned', 'Olga', 'Please look'])
  await reply(person, ticket.id, 'I do', { is_internal: true, mentions: [person.id] })
  await person.api.post(`/tickets/${(await makeTicket(server.api)).id}/take`)
  assert.equal((await read()).length, 2)
})

test('unassigned tickets are pushed only by choice, and only those of own departments', async () => {
  const [chosen, other] = [await enter({ unassigned: true }), await enter()]
  const [own, foreign] = [
    await makeDepartment(server.db, server.acme, 'Sales'),
    await makeDepartment(server.db, server.acme, 'Repairs'),
  ]
  await server.db`insert into department_operators values (${server.acme.id}, ${own.id}, ${chosen.person.id})`
  await makeTicket(server.api, { subject: 'For sales', department_id: own.id })
  const moved = await makeTicket(server.api, { subject: 'Moved to sales', department_id: foreign.id })
  await makeTicket(server.api, { subject: 'For everybody' })
  await makeTicket(server.api, { subject: 'For olga', department_id: own.id, operator_id: olga.id })
  await olga.api.patch(`/tickets/${moved.id}`, { department_id: own.id })
  assert.deepEqual((await chosen.read()).map(({ kind, subject }) => [kind, subject]).sort(), [
    ['unassigned', 'For everybody'],
    ['unassigned', 'For sales'],
    ['unassigned', 'Moved to sales'],
  ])
  assert.deepEqual(await other.read(), [])
})

test('while a tab of the project is in front, nothing is pushed; a tab in the background does not count', async () => {
  const { person, readKinds } = await enter()
  const ticket = await openAssigned(person)
  const { tab, close } = await openTab(new URL(server.url).origin, person, server.acme)
  const show = (is_visible: boolean) =>
    person.api.post('/presence', { tab, ticket_id: null, is_typing: false, is_visible })
  await show(true)
  await ticket.say('One')
  assert.deepEqual(await readKinds(), [])
  await show(false)
  await ticket.say('Two')
  assert.deepEqual(await readKinds(), ['waiting'])
  close()
})

test('a message that the person has read is not pushed', async () => {
  const { person, read } = await enter()
  const ticket = await openAssigned(person)
  await ticket.say('Quick')
  await person.api.post(`/tickets/${ticket.id}/read`)
  assert.deepEqual(await read(), [])
})

test('hidden contents are not even sent', async () => {
  const { person, read } = await enter({ hides_content: true })
  const ticket = await openAssigned(person)
  await ticket.say('Secret words')
  const [{ id: _, ...content }] = await read()
  assert.deepEqual(content, { kind: 'waiting', project_id: server.acme.id, number: ticket.number })
})

test('a notification is sent again with the same id after a failure or a kill, and not after an hour', async () => {
  const { person, read, readKinds } = await enter()
  const ticket = await openAssigned(person)
  const makeDue = () => server.db`
    update operator_pushes set due_at = now() where project_id = ${server.acme.id}`
  await ticket.say('One')
  status = 503
  const [first] = await read()
  assert.equal((await read()).length, 1, 'it waits before the next attempt')
  status = 201
  await makeDue()
  // A process that claims it and dies.
  assert.equal((await claimPushes(server.db, server.acme.id)).length, 1)
  assert.equal((await read()).length, 1)
  await makeDue()
  const [, second, ...more] = await read()
  assert.deepEqual([second.id, more], [first.id, []])
  await ticket.say('Two')
  await server.db`update operator_pushes set created_at = now() - interval '61 minutes'`
  assert.equal((await readKinds()).length, 2)
  const rows = await server.db`select from operator_pushes where project_id = ${server.acme.id}`
  assert.equal(rows.length, 0)
})

test('a browser that its push service no longer knows is removed, and so is one at a forbidden address', async () => {
  const { person, read } = await enter()
  const ticket = await openAssigned(person)
  const listed = async () => (await person.own.get('/me/devices')).body.items.length
  status = 410
  await ticket.say('One')
  await read()
  status = 201
  assert.equal(await listed(), 0)
  const again = service.addBrowser()
  await person.own.put('/me/devices', again.registration)
  await ticket.say('Two')
  const config = { ...server.config, publicUrl: 'https://desk.example.com' }
  await createPushing({ ...server, config })(server.db, server.acme.id)
  assert.deepEqual([await again.read(), await listed()], [[], 0])
})

test('a registration whose address is no URL is removed, and does not stop the notifications of others', async () => {
  const { person, browser, readKinds } = await enter({ unassigned: true })
  const broken = await joinProject(server, server.acme)
  await choose(broken, { unassigned: true })
  await broken.own.put('/me/devices', { ...browser.registration, endpoint: 'https://' })
  await makeTicket(server.api, { subject: 'For everybody' })
  assert.deepEqual(await readKinds(), ['unassigned'])
  assert.deepEqual((await broken.own.get('/me/devices')).body.items, [])
  assert.equal((await person.own.get('/me/devices')).body.items.length, 1)
})

test('a browser belongs to a session: it is not notified after signing out, and only for the account that signed in last', async () => {
  const { person, browser, read } = await enter()
  const ticket = await openAssigned(person)
  await ticket.say('One')
  assert.equal((await person.auth.post('/sign-out', {})).status, 200)
  assert.deepEqual(await read(), [])
  const [first, second] = [await joinProject(server, server.acme), await joinProject(server, server.acme)]
  for (const { own } of [first, second]) await own.put('/me/devices', browser.registration)
  assert.deepEqual((await first.own.get('/me/devices')).body.items, [])
  assert.equal((await second.own.get('/me/devices')).body.items.length, 1)
})

test('several sessions can register the same browser at once, and one keeps it', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => joinProject(server, server.acme)))
  for (let round = 0; round < 5; round++) {
    const { registration } = service.addBrowser()
    const answers = await Promise.all(people.map(({ own }) => own.put('/me/devices', registration)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      people.map(() => 200),
    )
    const lists = await Promise.all(people.map(({ own }) => own.get('/me/devices')))
    assert.equal(lists.flatMap(({ body }) => body.items).length, 1)
  }
})

test('people who have left, and people of a suspended project, are not notified', async () => {
  const { person, read } = await enter()
  const ticket = await openAssigned(person)
  await ticket.say('One')
  await server.db`update projects set suspended_at = now() where id = ${server.acme.id}`
  assert.deepEqual(await read(), [])
  await server.db`update projects set suspended_at = null where id = ${server.acme.id}`
  await ticket.say('Two')
  await server.db`update operators set removed_at = now() where project_id = ${server.acme.id} and id = ${person.id}`
  assert.deepEqual(await read(), [])
})

test('a person can test and remove only their own browsers', async () => {
  const { person, browser } = await enter()
  const [{ id }] = (await person.own.get('/me/devices')).body.items
  assert.equal((await rita.own.post(`/me/devices/${id}/test`)).status, 404)
  assert.equal((await rita.own.delete(`/me/devices/${id}`)).status, 204)
  const answer = await person.own.post(`/me/devices/${id}/test`)
  assert.deepEqual([answer.status, answer.body], [200, { is_sent: true, status_code: 201 }])
  assert.deepEqual(
    (await browser.read()).map(({ content }) => content.kind),
    ['test'],
  )
  await person.own.delete(`/me/devices/${id}`)
  assert.deepEqual((await person.own.get('/me/devices')).body.items, [])
})

test('Rival is not notified of tickets of Acme, and Acme not of those of Rival', async () => {
  const browser = service.addBrowser()
  await rita.own.put('/me/devices', browser.registration)
  await choose(rita, { unassigned: true })
  const { read } = await enter({ unassigned: true })
  await makeTicket(server.outsider, { subject: 'Of Rival' })
  await makeTicket(server.api, { subject: 'Of Acme' })
  await send(server.rival)
  assert.deepEqual(
    (await read()).map(({ subject }) => subject),
    ['Of Acme'],
  )
  assert.deepEqual(
    (await browser.read()).map(({ content }) => content.subject),
    ['Of Rival'],
  )
})
