import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, untilHolds } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'
import { png } from '../upload.ts'

/** What a team and each person in it set up for themselves and for others. */

const chromium = needs('chromium')

let omar: Person
const dashboard = useDashboard(async ({ server }) => {
  omar = await joinProject(server, server.acme, { name: 'Omar' })
})
const { olga } = dashboard

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const row = (page: Page, words: string) => page.getByRole('listitem').filter({ hasText: words })

async function goTo(path: string, person = olga, options = {}): Promise<Page> {
  const page = await dashboard.open(person, { reducedMotion: 'reduce', ...options })
  await page.goto(path.startsWith('/') ? path : `/p/${dashboard.server.acme.id}/settings/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test(
  'creates, renames and deletes departments, and moves the tickets of a deleted one',
  chromium,
  async () => {
    const page = await goTo('departments')
    for (const name of ['Sales', 'Repairs', 'Billing']) {
      await button(page, 'New department').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByRole('button', { name: 'New department' }).click()
      await row(page, name).waitFor()
    }
    const items = (await olga.api.get('/departments')).body.items
    const repairs = items.find(({ name }: { name: string }) => name === 'Repairs')
    const ticket = await makeTicket(dashboard.server.api, { department_id: repairs.id })
    await button(page, 'Actions for Repairs').click()
    await item(page, 'Edit').click()
    await page.getByRole('dialog').getByLabel('Name').fill('sales')
    await button(page, 'Save').click()
    await page.getByText('A department with this name already exists').waitFor()
    await page.getByRole('dialog').getByLabel('Name').fill('Workshop')
    await button(page, 'Save').click()
    await button(page, 'Actions for Workshop').click()
    await item(page, 'Delete').click()
    const target = page.getByRole('dialog').getByRole('combobox', { name: 'Move tickets to' })
    await untilHolds(target, 'Sales')
    await target.click()
    await page.getByRole('option', { name: 'Billing' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Workshop').waitFor({ state: 'detached' })
    assert.equal((await olga.api.get(`/tickets/${ticket.id}`)).body.department_name, 'Billing')
  },
)

test('offers placeholders for a canned answer, and names unknown ones', chromium, async () => {
  const page = await goTo('canned-answers', omar)
  await button(page, 'New canned reply').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Thanks')
  await dialog.getByLabel('Shortcut').fill('two words')
  const field = await untilFormatted(dialog.getByRole('textbox', { name: 'Text', exact: true }))
  await field.pressSequentially('**Thank you**, {{contact.nickname}} ')
  await dialog
    .getByText('These placeholders are unknown and will be sent as written: contact.nickname')
    .waitFor()
  await dialog.getByRole('button', { name: 'contact.first_name' }).click()
  await field.locator('strong', { hasText: 'Thank you' }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'New canned reply' }).click()
  await dialog.getByText('without spaces').waitFor()
  await dialog.getByLabel('Shortcut').fill('thanks')
  await dialog.getByRole('button', { name: 'New canned reply' }).click()
  await row(page, '/thanks').waitFor()
  const [listed] = (await omar.api.get('/canned-answers?q=thanks')).body.items
  const { body: answer } = await omar.api.get(`/canned-answers/${listed.id}`)
  assert.equal(answer.content, '**Thank you**, {{contact.nickname}} {{contact.first_name}}')
  assert.equal(answer.scope, 'personal')
  assert.deepEqual((await olga.api.get('/canned-answers?q=thanks')).body.items, [])
})

test('creates and reorders custom fields with the keyboard alone', chromium, async () => {
  const page = await goTo('custom-fields')
  for (const [label, key] of [
    ['Order', 'order'],
    ['Colour', 'colour'],
  ] as const) {
    await button(page, 'New field').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Label').waitFor()
    await page.getByRole('dialog').getByLabel('Label').focus()
    await page.keyboard.type(label)
    await page.getByRole('dialog').getByLabel('Key').focus()
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await row(page, label).waitFor()
  }
  await button(page, 'Move Colour up').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Colour moved to position 1').waitFor()
  const { items } = (await olga.api.get('/custom-fields')).body
  assert.deepEqual(
    items.map(({ key }: { key: string }) => key),
    ['colour', 'order'],
  )
})

test('renames, shares and deletes a saved view', chromium, async () => {
  await olga.api.post('/views', { name: 'Urgent', filters: { priority: ['urgent'] } })
  const page = await goTo('views')
  await button(page, 'Actions for Urgent').click()
  await item(page, 'Edit').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Burning')
  await page.getByRole('dialog').getByLabel('Visible to').selectOption('Everyone')
  await button(page, 'Save').click()
  await row(page, 'Burning').getByText('Everyone').waitFor()
  const seen = await goTo('views', omar)
  await row(seen, 'Burning').waitFor()
  assert.equal(await button(seen, 'Actions for Burning').count(), 0)
  await seen.context().close()
  await button(page, 'Actions for Burning').click()
  await item(page, 'Delete').click()
  await page.getByText('Everyone who sees this view loses it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No saved views yet').waitFor()
})

test('explains that a saved view is empty because its tag was deleted', chromium, async () => {
  const name = unique()
  await makeTicket(dashboard.server.api)
  await olga.api.post('/tags', { name })
  const { id } = (await olga.api.post('/views', { name: 'Tagged', filters: { tag: [name] } })).body
  const page = await goTo('tags')
  await button(page, `Actions for ${name}`).click()
  await item(page, 'Delete').click()
  await page.getByText('Saved views that filter by it will be empty.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row(page, name).waitFor({ state: 'hidden' })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/${id}`)
  await page.getByText('This view’s tag was deleted').waitFor()
})

test('sets a profile picture and a status with an end time', chromium, async () => {
  const page = await goTo('/account/profile')
  const content = png(60, 40)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: content })
  await button(page, 'Remove picture').waitFor()
  assert.match((await olga.own.get('/me')).body.user.image, /^\/api\/dashboard\/pictures\//)
  await page.getByLabel('Status message').fill('At lunch')
  await page.getByLabel('Until').fill('2020-01-01T10:00')
  await button(page, 'Set status').click()
  await page.getByText('Choose a time in the future.').waitFor()
  await page.getByLabel('Until').fill('2099-01-01T10:00')
  await button(page, 'Set status').click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { items } = (await omar.api.get('/operators')).body
  const row = items.find(({ id }: Person) => id === olga.id)
  assert.deepEqual([row.status_text, row.status_until.slice(0, 4)], ['At lunch', '2099'])
})

test('asks the browser for permission only when a person turns on notifications', chromium, async () => {
  const page = await dashboard.open(omar)
  await page.addInitScript(`{
    window.shown = []
    window.asked = 0
    window.Notification = class { constructor(title, { body }) { window.shown.push([title, body]) } }
    Notification.permission = 'default'
    Notification.requestPermission = async () => (window.asked++, (Notification.permission = 'granted'))
    document.hasFocus = () => false
  }`)
  // The messages are sent once the page listens, because it does not notify of earlier ones.
  const listens = page.waitForResponse('**/presence')
  await page.goto('/account/notifications')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await listens
  assert.equal(await page.evaluate('asked'), 0)
  const saved = page.waitForResponse(
    one => one.url().endsWith('/api/dashboard/me') && one.request().method() === 'PATCH',
  )
  await page.getByLabel('Browser notifications').click()
  await saved
  assert.equal(await page.evaluate('asked'), 1)
  const { api } = dashboard.server
  const content = 'Are you there?'
  await makeTicket(api, { content })
  await makeTicket(api, {
    content,
    operator_id: omar.id,
    contact: { full_name: 'Ann', email: 'a@example.com' },
  })
  await until(() => page.evaluate<boolean>('shown.length > 0'))
  assert.deepEqual(await page.evaluate('shown'), [['Ann', 'Are you there?']])
})

test('turning off one kind of email leaves the others on', chromium, async () => {
  const page = await dashboard.open(omar, { reducedMotion: 'reduce' })
  await page.goto('/account/notifications')
  const waiting = page.getByLabel('When a customer writes in a ticket assigned to me')
  assert.equal(await waiting.isChecked(), true)
  const saved = page.waitForResponse(one => one.request().method() === 'PATCH')
  await waiting.focus()
  await page.keyboard.press('Space')
  assert.equal((await saved).status(), 200)
  await page.reload()
  await page.getByLabel('When a note mentions me').waitFor()
  assert.equal(await waiting.isChecked(), false)
  assert.equal(await page.getByLabel('When a note mentions me').isChecked(), true)
  assert.deepEqual(await listAccessibilityViolations(page), [])
  const { notifications } = (await omar.own.get('/me')).body.user.settings
  assert.equal(notifications.waiting_by_email, false)
})

test(
  'counts in the tab title own tickets and unassigned ones of own departments only',
  chromium,
  async () => {
    const { api } = dashboard.server
    const [own, other] = await Promise.all(
      ['Own', 'Other'].map(async name => (await olga.api.post('/departments', { name })).body),
    )
    const nina = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Nina' })
    await olga.api.patch(`/departments/${own.id}`, { operator_ids: [nina.id] })
    const content = 'Are you there?'
    await makeTicket(api, { content, department_id: own.id })
    await makeTicket(api, { content, department_id: own.id, operator_id: olga.id })
    await makeTicket(api, { content, department_id: other.id })
    const page = await goTo('departments', nina)
    await until(async () => (await page.title()).startsWith('(1) '))
    await makeTicket(api, { content, department_id: other.id, operator_id: nina.id })
    await until(async () => (await page.title()).startsWith('(2) '))
  },
)
