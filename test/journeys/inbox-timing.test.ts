import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, untilDrawn, untilHolds } from '../browser.ts'
import { makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

/** Late responses, and people who do not wait for them. */

const chromium = needs('chromium')

let omar: Person
const dashboard = useDashboard(async ({ server }) => {
  omar = await joinProject(server, server.acme, { name: 'Omar' })
})
const { olga } = dashboard

interface Ticket {
  id: string
  short_id: string
}

const ask = (subject: string, fields = {}): Promise<Ticket> =>
  makeTicket(dashboard.server.api, {
    contact: { email: `${unique()}@example.com`, full_name: 'Ann Lee' },
    subject,
    content: `About ${subject}`,
    ...fields,
  })

async function openTicket({ short_id }: Ticket, prepare?: (page: Page) => unknown): Promise<Page> {
  const page = await dashboard.open(omar, { viewport: { width: 1440, height: 900 } })
  await prepare?.(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  await reply(page).waitFor()
  await inLog(page, 'About').waitFor()
  return page
}

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const inLog = (page: Page, words: string) => page.getByRole('log').getByText(words)
const row = (page: Page, words: string) => page.getByRole('listitem').filter({ hasText: words })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const say = (ticket: Ticket, content: string) =>
  makeMessage(dashboard.server.api, ticket.id, { content, sender: 'contact' })
const posts = /\/tickets\/\d+\/messages$/
const drafts = /\/tickets\/[^/]+\/draft/

test('keeps text that is typed while a reply is being sent', chromium, async () => {
  const page = await openTicket(await ask('Typing on'))
  const { answered, release } = await holdBack(page, 'POST', posts)
  await reply(page).fill('The first.')
  await page.keyboard.press('Control+Enter')
  await answered
  await reply(page).press('End')
  await page.keyboard.type(' The second.')
  release()
  await inLog(page, 'The first.').waitFor()
  await untilHolds(reply(page), 'The second.')
})

test('leaves no draft of a sent reply on the server', chromium, async () => {
  const ticket = await ask('No ghost')
  const page = await openTicket(ticket, one => one.clock.install())
  const { answered, release } = await holdBack(page, 'POST', posts)
  await reply(page).fill('Sent at once')
  await page.keyboard.press('Control+Enter')
  await answered
  await page.clock.fastForward(2_000)
  release()
  await inLog(page, 'Sent at once').waitFor()
  await untilHolds(reply(page), '')
  assert.equal((await omar.api.get(`/tickets/${ticket.id}/draft`)).body.reply, null)
})

test('keeps a saved reply draft while the note is open', chromium, async () => {
  const page = await openTicket(await ask('Two drafts'))
  await reply(page).fill('Half an answer')
  await page.getByText('Draft saved').waitFor()
  await page.getByText('Internal note', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Internal note' }).waitFor()
  await page.getByText('Reply', { exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  await untilHolds(reply(page), 'Half an answer')
})

test(
  'saves a draft one request at a time, each based on the version of the previous one',
  chromium,
  async () => {
    const page = await openTicket(await ask('In turn'), one => one.clock.install())
    const versions: number[] = []
    page.on('request', one => one.method() === 'PUT' && versions.push(one.postDataJSON().version))
    const { answered, release } = await holdBack(page, 'PUT', drafts, 1)
    await reply(page).fill('a')
    await page.clock.fastForward(1_000)
    await answered
    for (const words of ['ab', 'abc']) {
      await reply(page).fill(words)
      await page.clock.fastForward(1_000)
    }
    release()
    await page.getByText('Draft saved').waitFor()
    assert.deepEqual(versions, [0, 1])
  },
)

test("sends a draft even if it could not be compared with the server's", chromium, async () => {
  const page = await openTicket(await ask('Compared'))
  await page.route(drafts, route =>
    route.fulfill({ status: route.request().method() === 'PUT' ? 412 : 500, json: {} }),
  )
  const compared = page.waitForResponse(one => drafts.test(one.url()) && one.status() === 500)
  await reply(page).fill('Send me')
  await compared
  await page.unroute(drafts)
  await page.keyboard.press('Control+Enter')
  await inLog(page, 'Send me').waitFor()
})

test('reports a failed reply after its ticket was left', chromium, async () => {
  await ask('The next one')
  const page = await openTicket(await ask('Left behind'))
  const failed = Promise.withResolvers<void>()
  await page.route(posts, async route => {
    await failed.promise
    await route.fulfill({ status: 500, json: { error_message: 'Something broke' } })
  })
  await reply(page).fill('In a hurry')
  const asked = page.waitForRequest(one => posts.test(one.url()) && one.method() === 'POST')
  await page.keyboard.press('Control+Enter')
  await asked
  await row(page, 'The next one').getByRole('link').click()
  await heading(page, 'The next one').waitFor()
  failed.resolve()
  await page.getByRole('alert').getByText('Something broke').waitFor()
})

test('shows a change that happens while the list is reloading', chromium, async () => {
  const ticket = await ask('Listed')
  const page = await openTicket(ticket)
  await row(page, 'Listed').waitFor()
  await page.waitForLoadState('networkidle')
  const { answered, release } = await holdBack(page, 'GET', /\/tickets\?.*page_size=40/, 1)
  await say(ticket, 'First words')
  await answered
  await say(ticket, 'Last words')
  await inLog(page, 'Last words').waitFor()
  release()
  await row(page, 'Listed').getByText('Last words').waitFor()
})

test('shows a change that happens while the list loads for the first time', chromium, async () => {
  const ticket = await ask('Listed late')
  const page = await dashboard.open(omar, { viewport: { width: 1440, height: 900 } })
  const { answered, release } = await holdBack(page, 'GET', /\/tickets\?.*page_size=40/, 1)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${ticket.short_id}`)
  await inLog(page, 'About').waitFor()
  await answered
  await say(ticket, 'Last words')
  const counted = page.waitForRequest(/\/views$/)
  await inLog(page, 'Last words').waitFor()
  // The event outdates the views and the list at the same time.
  await counted
  await untilDrawn(page)
  release()
  await row(page, 'Listed late').getByText('Last words').waitFor()
})

test('marks a message as read that arrives while an earlier one is being marked', chromium, async () => {
  const ticket = await ask('Read on')
  const page = await openTicket(ticket)
  const isUnread = async () => (await omar.api.get(`/tickets/${ticket.id}`)).body.is_unread
  await until(async () => !(await isUnread()))
  const { answered, release } = await holdBack(page, 'POST', /\/read$/, 1)
  await say(ticket, 'One more')
  await answered
  const reread = page.waitForResponse(one => one.url().endsWith(`/tickets/${ticket.short_id}`))
  await say(ticket, 'And another')
  await inLog(page, 'And another').waitFor()
  await reread
  release()
  await until(async () => !(await isUnread()))
})

test("rolls back a rejected change without undoing somebody else's", chromium, async () => {
  const ticket = await ask('Wanted by two')
  const page = await openTicket(ticket)
  const held = Promise.withResolvers<void>()
  await page.route(/\/take$/, async route => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Assignee: Unassigned' }).press('t')
  assert.equal((await olga.api.post(`/tickets/${ticket.id}/take`)).status, 200)
  const assignee = page.getByRole('button', { name: 'Assignee: Olga' })
  await assignee.waitFor()
  const refused = page.waitForResponse(/\/take$/)
  held.resolve()
  assert.equal((await refused).status(), 409)
  await page.getByRole('alert').first().waitFor()
  assert.equal(await assignee.isVisible(), true)
})

test('does not carry an unsaved contact note over to another contact', chromium, async () => {
  const contact = { email: `${unique()}@example.com`, full_name: 'Ben Roe' }
  const [one, other] = [await ask('Of one contact', { contact }), await ask('Of another contact')]
  const page = await openTicket(other)
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const note = panel.getByRole('textbox', { name: 'Note' })
  await note.waitFor()
  await row(page, 'Of one contact').getByRole('link').click()
  await panel.getByText(contact.email).waitFor()
  const { answered, release } = await holdBack(page, 'PATCH', /\/contacts\//)
  const fetched = page.waitForResponse(/\/context$/)
  const saved = page.waitForRequest(one => one.method() === 'PATCH')
  await note.fill('Pays late')
  await row(page, 'Of another contact').getByRole('link').click()
  await panel.getByText(contact.email).waitFor({ state: 'detached' })
  await saved
  await answered
  release()
  await fetched
  await untilHolds(note, '')
  assert.equal((await omar.api.get(`/tickets/${one.id}/context`)).body.contact.note, 'Pays late')
})

test('keeps a reply that is sent while the conversation is reloading', chromium, async () => {
  const ticket = await ask('Read again')
  const page = await openTicket(ticket)
  await page.waitForLoadState('networkidle')
  const { answered, release } = await holdBack(page, 'GET', /\/messages\?.*order=desc/, 1)
  await olga.api.patch(`/tickets/${ticket.id}`, { subject: 'Read again now' })
  await answered
  await reply(page).fill('Sent meanwhile')
  await page.keyboard.press('Control+Enter')
  await inLog(page, 'Sent meanwhile').waitFor()
  const late = page.waitForEvent('requestfinished', one => /order=desc/.test(one.url()))
  release()
  await late
  await untilDrawn(page)
  assert.equal(await inLog(page, 'Sent meanwhile').isVisible(), true)
})

test('loads a changed message again if the first attempt failed', chromium, async () => {
  const ticket = await ask('Second try')
  const { body: said } = await olga.api.post(`/tickets/${ticket.id}/messages`, { content: 'Wrong words' })
  const page = await openTicket(ticket)
  await inLog(page, 'Wrong words').waitFor()
  await page.route(/\/messages\/[^/?]+$/, route => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await olga.api.patch(`/messages/${said.id}`, { content: 'Right words' })
  await inLog(page, 'Right words').waitFor()
})
