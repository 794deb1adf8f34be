import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket, unique } from '../../test/cast.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { createProject } from '../projects/projects.ts'
import { findRecordedSteps } from './queries.ts'
import type { FirstStepList } from './schema.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

/** Resets the steps to those of a new project. Other data of earlier tests stays. */
async function begin() {
  const { db, acme, rival } = server
  await db`update projects set has_first_steps = true, first_steps = '{}' where id = any(${[acme.id, rival.id]})`
}

const read = async (who = desk.owner): Promise<FirstStepList> => (await who.get('/first-steps')).body

const doneIn = ({ items }: FirstStepList): string[] =>
  items.filter(({ is_done }) => is_done).map(({ name }) => name)

const done = async (who = desk.owner): Promise<string[]> => doneIn(await read(who))

/** Asks for the look of the chat's button as the script on a website does. */
async function visit(headers: Record<string, string>) {
  const { url, acme } = server
  const answer = await fetch(`${new URL(url).origin}/widget/look/${acme.id}`, { headers })
  assert.equal(answer.status, 200)
  assert.doesNotMatch(await answer.text(), /awaits/)
}

test('a new project has the list of steps, and none is done', async () => {
  const { db } = server
  const { id } = await createProject(db, { name: unique() })
  assert.deepEqual(await findRecordedSteps(db, id), { first_steps: [], has_first_steps: true })
})

test('each step is done when the data of the project shows it', async () => {
  await begin()
  const { db, acme, api } = server
  assert.deepEqual(await done(), ['colleague'])
  assert.deepEqual((await read()).test_ticket, null)
  await desk.owner.post('/channels', { name: 'line', title: 'Line' })
  assert.deepEqual(await done(), ['channel', 'colleague'])
  await makeArticle(db, acme)
  assert.deepEqual(await done(), ['channel', 'article', 'colleague'])
  const hours = { timezone: 'Europe/Berlin', days: [{ day: 1, from: '09:00', to: '17:00' }] }
  await desk.owner.patch('/widget', { hours, is_on: true })
  assert.deepEqual(await done(), ['channel', 'article', 'colleague', 'hours'])
  const { id } = await makeTicket(api, { content: 'Hello' })
  assert.deepEqual(await done(), ['channel', 'article', 'colleague', 'hours'])
  await desk.operator.post(`/tickets/${id}/messages`, { content: 'Hello' })
  assert.deepEqual(await done(), ['channel', 'article', 'colleague', 'hours', 'ticket'])
})

test('the chat is on a website when a page of another origin has shown its button', async () => {
  const { host, origin } = new URL(server.url)
  for (const headers of [
    {},
    { referer: `${origin}/p/` },
    { 'sec-fetch-site': 'same-origin', referer: 'https://shop.example/' },
  ])
    await visit(headers as Record<string, string>)
  assert.ok(!(await done()).includes('widget'), host)
  await visit({ referer: 'https://shop.example/' })
  assert.ok((await done()).includes('widget'))
})

test('when all steps are done, the list is hidden, and nothing is looked up any more', async () => {
  const { db, acme } = server
  const { has_first_steps, first_steps } = await findRecordedSteps(db, acme.id)
  assert.deepEqual([has_first_steps, first_steps.length], [false, 6])
  const { items, is_shown, test_ticket } = await read()
  assert.ok(!is_shown && items.every(({ is_done }) => is_done) && test_ticket === null)
})

test('a step that was done stays done when its data is deleted', async () => {
  await begin()
  const [channel] = (await desk.owner.get('/channels')).body.items
  assert.ok((await done()).includes('channel'))
  await desk.owner.delete(`/channels/${channel.id}`)
  assert.ok((await done()).includes('channel'))
})

test('an admin hides the list and shows it again, an operator may not', async () => {
  const set = (who: typeof desk.admin, has_first_steps: boolean) =>
    who.patch('/settings', { has_first_steps })
  assert.equal((await set(desk.admin, false)).status, 200)
  assert.equal((await read()).is_shown, false)
  const [entry] = (await desk.admin.get('/audit?page_size=1')).body.items
  assert.equal(entry.action, 'project.changed')
  assert.equal((await set(desk.operator, true)).status, 403)
  assert.equal((await set(desk.admin, true)).status, 200)
  assert.equal((await read(desk.operator)).is_shown, true)
})

test('the test ticket is the latest of the test contact, in its own project only', async () => {
  await begin()
  const body = {
    contact: { email: 'test@deskbell.example', full_name: 'Sam' },
    subject: 'Test',
    content: 'Hello',
  }
  const { id, short_id, contact_id } = (await desk.operator.post('/tickets', body)).body
  assert.deepEqual((await read()).test_ticket, { id, short_id, contact_id, is_answered: false })
  await desk.operator.post(`/tickets/${id}/messages`, { content: 'Hello' })
  assert.equal((await read()).test_ticket?.is_answered, true)
  assert.deepEqual([await done(desk.stranger), (await read(desk.stranger)).test_ticket], [[], null])
})
