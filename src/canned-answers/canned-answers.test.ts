import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const write = (who: Person, fields: object = {}) =>
  who.api.post('/canned-answers', { shortcut: `s${unique()}`, title: 'Title', content: 'Text', ...fields })

const shared = (fields: object = {}) => write(olga, { scope: 'shared', ...fields })

const listed = async (who: Person, query = ''): Promise<string[]> =>
  (await who.api.get(`/canned-answers${query}`)).body.items.map(({ id }: { id: string }) => id)

test('a personal answer is visible only to its owner, a shared one to everyone', async () => {
  const own = (await write(omar)).body
  const ours = (await shared()).body
  assert.deepEqual(
    [own.scope, own.owner_id, ours.scope, ours.owner_id],
    ['personal', omar.id, 'shared', null],
  )
  assert.deepEqual((await listed(omar)).sort(), [own.id, ours.id].sort())
  assert.deepEqual(await listed(olga), [ours.id])
  assert.deepEqual(await listed(omar, '?scope=personal'), [own.id])
  assertEnvelope(await olga.api.get(`/canned-answers/${own.id}`), 404, 'CANNED_ANSWER_NOT_FOUND')
})

test('only admins write shared answers, and each change is in the audit log', async () => {
  assertEnvelope(await write(omar, { scope: 'shared' }), 403, 'ROLE_REQUIRED')
  const { id, shortcut } = (await shared()).body
  const path = `/canned-answers/${id}`
  assertEnvelope(await omar.api.patch(path, { title: 'Mine' }), 403, 'ROLE_REQUIRED')
  assertEnvelope(await omar.api.delete(path), 403, 'ROLE_REQUIRED')
  assert.equal((await olga.api.patch(path, { title: 'Better' })).body.title, 'Better')
  assert.equal((await olga.api.delete(path)).status, 204)
  assertEnvelope(await olga.api.get(path), 404, 'CANNED_ANSWER_NOT_FOUND')
  const { items } = (await olga.api.get(`/audit?target_id=${id}`)).body
  assert.deepEqual(
    items.map(({ action, target_name }: Record<string, string>) => [action, target_name]),
    ['deleted', 'changed', 'created'].map(word => [`canned_answer.${word}`, shortcut]),
  )
})

test("a shortcut is unique among a person's own answers, and among the shared ones", async () => {
  const shortcut = `s${unique()}`
  assert.equal((await shared({ shortcut })).status, 201)
  assertEnvelope(await shared({ shortcut: shortcut.toUpperCase() }), 409, 'CANNED_ANSWER_EXISTS')
  const answers = await Promise.all([1, 2, 3].map(() => write(omar, { shortcut })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  const other = (await write(omar)).body
  assertEnvelope(
    await omar.api.patch(`/canned-answers/${other.id}`, { shortcut }),
    409,
    'CANNED_ANSWER_EXISTS',
  )
  assertProblems(await write(omar, { shortcut: 'two words' }), 'body.shortcut')
})

test('an answer of a department is visible only to its members and to admins', async () => {
  const department = await makeDepartment(db, acme, unique())
  const nina = await joinProject(server, acme, { name: 'Nina' })
  await db`insert into department_operators values (${acme.id}, ${department.id}, ${nina.id})`
  const { id } = (await shared({ department_id: department.id })).body
  assert.deepEqual(await Promise.all([nina, olga, omar].map(async who => (await listed(who)).includes(id))), [
    true,
    true,
    false,
  ])
  const theirs = await makeDepartment(db, rival, unique())
  assertEnvelope(await shared({ department_id: theirs.id }), 422, 'VALIDATION_ERROR', { reason: 'not_found' })
  const own = await write(omar, { department_id: department.id })
  assertEnvelope(own, 422, 'VALIDATION_ERROR', { reason: 'not_shared' })
})

test('a change based on an old version is rejected with 412', async () => {
  const { id, version } = (await write(omar)).body
  const change = (title: string) =>
    omar.api.patch(`/canned-answers/${id}`, { title }, { headers: { 'If-Match': `"${version}"` } })
  assert.equal((await change('One')).status, 200)
  assertBrief(await change('Two'), 412)
})

test('a search ranks shortcuts that begin with the text first, then matches in titles, then in texts', async () => {
  const word = `w${unique()}`
  const inText = (await write(omar, { shortcut: `a${unique()}`, content: `Say ${word}` })).body
  const inTitle = (await write(omar, { shortcut: `b${unique()}`, title: `On ${word.toUpperCase()}` })).body
  const begins = (await write(omar, { shortcut: `${word}x` })).body
  assert.deepEqual(await listed(omar, `?q=${word}`), [begins.id, inTitle.id, inText.id])
  assert.deepEqual(await listed(omar, '?q=%25'), [])
})

test('a list contains an excerpt of each text; the whole text is read by id', async () => {
  const content = `${'Long '.repeat(12_000)}end`
  const { id } = (await write(omar, { content })).body
  const answer = await omar.api.get('/canned-answers')
  const listed = answer.body.items.find((one: { id: string }) => one.id === id)
  assert.deepEqual([listed.excerpt, listed.content], [content.slice(0, 160), undefined])
  assert.ok(!answer.text.includes('Long end'))
  assert.equal((await omar.api.get(`/canned-answers/${id}`)).body.content, content)
})

test("placeholders are replaced by the ticket's values; empty and unknown ones are reported", async () => {
  const ticket = await makeTicket(api, {
    contact: { email: `${unique()}@example.com`, full_name: 'Ann\n Lee' },
    subject: 'Cannot pay',
  })
  const content =
    'Hi {{contact.first_name|there}} ({{ contact.full_name }}), #{{ticket.short_id}} {{ticket.subject}}: {{operator.name}}, {{project.name}} {{contact.phone}}{{contact.age}}{{contact.phone|-}}'
  const { id } = (await write(omar, { content })).body
  const fill = (ticket_id: string) => omar.api.post(`/canned-answers/${id}/fill`, { ticket_id })
  const { status, body } = await fill(ticket.short_id)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    content: `Hi Ann (Ann Lee), #${ticket.short_id} Cannot pay: Omar, Acme {{contact.age}}-`,
    empty: ['contact.phone'],
    unknown: ['contact.age'],
  })
  const nameless = (await fill((await makeTicket(api)).id)).body
  assert.match(nameless.content, /^Hi there \(\)/)
  assertEnvelope(await fill(nobody), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await fill((await makeTicket(outsider)).id), 404, 'TICKET_NOT_FOUND')
})

test('placeholders of an email that begins a ticket are replaced by the values of its first recipient', async () => {
  const email = `${unique()}@example.com`
  await api.post('/contacts', { email, full_name: 'Ann Lee', phone: '+49 1' })
  const content =
    'Hi {{contact.first_name|there}} ({{contact.email}}, {{contact.phone}}), {{ticket.subject}} {{ticket.short_id}}{{operator.name}}'
  const { id } = (await write(omar, { content })).body
  const fill = (input: object) => omar.api.post(`/canned-answers/${id}/fill`, input)
  const { body } = await fill({ contact_email: email.toUpperCase(), subject: 'Your order' })
  assert.equal(body.content, `Hi Ann (${email.toUpperCase()}, +49 1), Your order Omar`)
  assert.deepEqual(body.empty, ['ticket.short_id'])
  const stranger = `${unique()}@example.com`
  await outsider.post('/contacts', { email: stranger, full_name: 'Rita' })
  assert.equal((await fill({ contact_email: stranger })).body.content, `Hi there (${stranger}, ),  Omar`)
  assert.equal((await fill({})).body.content, 'Hi there (, ),  Omar')
})

test("Rival cannot list, read, change, delete or fill in Acme's answers", async () => {
  const { id } = (await shared()).body
  const ticket = await makeTicket(outsider)
  assert.deepEqual(await listed(rita), [])
  const path = `/canned-answers/${id}`
  for (const answer of [
    await rita.api.get(path),
    await rita.api.patch(path, { title: 'x' }),
    await rita.api.delete(path),
    await rita.api.post(`${path}/fill`, { ticket_id: ticket.id }),
  ])
    assertEnvelope(answer, 404, 'CANNED_ANSWER_NOT_FOUND')
  assert.equal((await olga.api.get(path)).body.title, 'Title')
})
