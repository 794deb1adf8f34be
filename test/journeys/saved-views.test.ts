import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { chooseTyped, listAccessibilityViolations, tick, untilIn } from '../browser.ts'
import { makeContact, makeDepartment, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { makeOrganization } from '../organization.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

const word = `saved${unique()}`
let omar: Person
let departmentId: string
const dashboard = useDashboard(async ({ server, olga }) => {
  omar = await joinProject(server, server.acme, { name: 'Omar' })
  departmentId = (await makeDepartment(server.db, server.acme, 'Billing')).id
  await olga.api.patch(`/operators/${omar.id}`, { department_ids: [departmentId] })
  const make = (subject: string, fields = {}) =>
    makeTicket(server.api, { subject: `${word} ${subject}`, content: 'Hello', ...fields })
  await make('urgent', { priority: 'urgent', tags: ['vip'] })
  await make('low', { priority: 'low', tags: ['trial'] })
})
const { olga } = dashboard

async function openInbox(path: string, person = olga): Promise<Page> {
  const page = await dashboard.open(person, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/${path}`)
  return page
}

const filters = (page: Page) => page.getByRole('region', { name: 'Filters' })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const row = (page: Page, name: string) =>
  page.locator('a[data-ticket]').filter({ hasText: `${word} ${name}` })

test('a view is saved for a department, changed, reset and shared with nobody else', chromium, async () => {
  const page = await openInbox(
    `all?conditions=${JSON.stringify({ all: [{ field: 'priority', op: 'any_of', value: ['urgent'] }] })}`,
  )
  await row(page, 'urgent').waitFor()
  await button(page, 'Save as view').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Burning')
  await dialog.getByLabel('Visible to').selectOption('Department')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Choose a department.').waitFor()
  await dialog.getByLabel('Department', { exact: true }).selectOption('Billing')
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await views(page)
    .getByRole('link', { name: /^Burning/ })
    .waitFor()
  await filters(page).getByText('Priority is Urgent').waitFor()
  assert.equal(await button(page, 'Save changes').count(), 0)

  await button(page, /^Edit filter: Priority/).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await row(page, 'low').waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Reset').click()
  await row(page, 'low').waitFor({ state: 'detached' })
  await button(page, /^Edit filter: Priority/).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await page.keyboard.press('Escape')
  await button(page, 'Save changes').click()
  await button(page, 'Save changes').waitFor({ state: 'detached' })
  await page.reload()
  await row(page, 'low').waitFor()
})

test('a member of the department sees the view, but cannot change it', chromium, async () => {
  const seen = await openInbox('all', omar)
  await views(seen)
    .getByRole('link', { name: /^Burning/ })
    .click()
  await row(seen, 'low').waitFor()
  await button(seen, 'Remove filter: Priority is any of Urgent, Low').click()
  await button(seen, 'Reset').waitFor()
  assert.equal(await button(seen, 'Save changes').count(), 0)
})

test('a view that names a deleted department says so, and is repaired', chromium, async () => {
  const { server } = dashboard
  const { id } = await makeDepartment(server.db, server.acme, 'Closing')
  const conditions = { all: [{ field: 'department_id', op: 'any_of', value: [id] }] }
  const view = (await olga.api.post('/views', { name: 'Of closing', filters: { conditions } })).body
  assert.equal((await olga.api.delete(`/departments/${id}`, {})).status < 300, true)
  const page = await openInbox(view.id)
  await views(page)
    .getByRole('link', { name: /Of closing.*Needs attention/ })
    .waitFor()
  await filters(page).getByText('Something that this view filters by was deleted').waitFor()
  await button(page, 'Edit filter: Department is Deleted').click()
  await page.getByText('This department was deleted.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Escape')
  await button(page, 'Remove filter: Department is Deleted').click()
  await button(page, 'Save changes').click()
  await views(page).getByText('Needs attention').waitFor({ state: 'detached' })
})

/** Selects the first row, clears the selection and opens it, by keyboard. */
async function openFirst(seen: Page): Promise<void> {
  // In another order, the list is empty until it has loaded, and keys would do nothing.
  await seen.locator('a[data-ticket]').first().waitFor()
  await seen.keyboard.press('j')
  await seen.keyboard.press('x')
  await seen.getByText('1 ticket selected').waitFor()
  await seen.keyboard.press('Escape')
  await seen.keyboard.press('Enter')
  await seen.getByRole('log').waitFor()
}

async function assertShown(column: Locator): Promise<void> {
  const { x, width } = (await column.boundingBox())!
  assert.ok(x + width <= column.page().viewportSize()!.width, 'no column is beyond the page')
}

test('a view keeps its table, the columns and the density for everyone who opens it', chromium, async () => {
  const page = await openInbox('all')
  await button(page, 'Display').click()
  await page.getByRole('dialog').getByText('Table', { exact: true }).click()
  await page.getByRole('table').waitFor()
  await tick(page.getByLabel('Department', { exact: true }))
  await page.getByLabel('Priority', { exact: true }).uncheck()
  await button(page, 'Move Department up').press('Enter')
  await page.getByText('Compact', { exact: true }).click()
  await button(page, 'Save as view').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Board')
  await page.getByRole('dialog').getByLabel('Visible to').selectOption('Everyone')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await views(page)
    .getByRole('link', { name: /^Board/ })
    .waitFor()

  const seen = await openInbox('all', omar)
  await views(seen)
    .getByRole('link', { name: /^Board/ })
    .click()
  const table = seen.getByRole('table', { name: 'Board' })
  await table.waitFor()
  const heads = await table.getByRole('columnheader').allTextContents()
  assert.deepEqual(heads, [
    'Select',
    'Contact',
    'Subject',
    'Status',
    'Assignee',
    'Tags',
    'Department',
    'Last message',
  ])
  assert.equal(await table.getAttribute('data-density'), 'compact')
  await assertShown(table.getByRole('columnheader', { name: 'Last message' }))
  await table.getByRole('button', { name: 'Last message' }).click()
  await untilIn(seen, `document.querySelector('[aria-sort]').getAttribute('aria-sort') === 'ascending'`)
  assert.match(seen.url(), /sort=last_message_at/)
  assert.deepEqual(await listAccessibilityViolations(seen), [])

  await openFirst(seen)
  await table.waitFor({ state: 'detached' })
})

/** Filters by the urgent priority with keys. */
async function filterUrgent(page: Page): Promise<void> {
  await page.keyboard.press('Shift+F')
  await chooseTyped(page, 'prio', 'Priority')
  await chooseTyped(page, 'urg', 'Urgent')
  await row(page, 'low').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
}

test('a filtered table is saved for everyone and deleted, by keyboard alone', chromium, async () => {
  const page = await openInbox(`all?q=${word}`)
  await row(page, 'low').waitFor()
  await filterUrgent(page)
  await tabTo(page, /^Display$/, 'button')
  await page.keyboard.press('Enter')
  await tabTo(page, 'List', 'radio')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('table').waitFor()
  await tabTo(page, /^Channel$/, 'checkbox')
  await page.keyboard.press('Space')
  await page.getByRole('columnheader', { name: 'Channel' }).waitFor()
  await tabTo(page.getByRole('dialog'), 'Save as view', 'button')
  await page.keyboard.press('Enter')
  await untilIn(page, `document.activeElement.matches('[role=dialog] input')`)
  await page.keyboard.type('Written by keys')
  await tabTo(page, 'Visible to', 'combobox')
  // A list forgets letters after a second, so there is only one.
  await page.keyboard.press('e')
  const chosen = page.locator('option:checked', { hasText: 'Everyone' })
  await page.locator('select:focus', { has: chosen }).waitFor()
  await tabTo(page, /^Save$/, 'button')
  await page.keyboard.press('Enter')
  const link = views(page).getByRole('link', { name: /^Written by keys/ })
  await link.waitFor()
  await page.getByRole('table', { name: 'Written by keys' }).waitFor()
  await row(page, 'urgent').waitFor()
  const saved = (await olga.api.get('/views')).body.items.find(
    (one: { name: string }) => one.name === 'Written by keys',
  )
  assert.equal(saved.visibility, 'everyone')
  assert.equal(saved.layout, 'table')
  assert.ok(saved.columns.includes('channel'))

  await tabTo(page, /^Display$/, 'button')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Delete view', 'button')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Delete$/, 'button')
  await page.keyboard.press('Enter')
  await link.waitFor({ state: 'detached' })
})

const read = async (id: string) =>
  (await olga.api.get('/views')).body.items.find((one: { id: string }) => one.id === id)

async function makeField(record: string, label: string): Promise<{ id: string; key: string }> {
  const field = { record, key: `k${unique()}`, label, type: 'text' }
  const { status, text, body } = await olga.api.post('/custom-fields', field)
  assert.equal(status, 201, text)
  return body
}

test(
  'a table shows the organization and custom fields, and a deleted field is removed from it',
  chromium,
  async () => {
    const { api } = dashboard.server
    const [plan, order] = [await makeField('contact', 'Plan'), await makeField('ticket', 'Order')]
    const { id: organization_id } = await makeOrganization(api, { name: 'Bell Works' })
    const contact = await makeContact(api, { organization_id, custom_fields: { [plan.key]: 'Gold' } })
    await makeTicket(api, { contact: { id: contact.id }, custom_fields: { [order.key]: 'A-17' } })
    const condition = { field: 'contact_id', op: 'any_of', value: [contact.id] }
    const view = (
      await olga.api.post('/views', { name: 'Of Bell', filters: { conditions: condition }, layout: 'table' })
    ).body
    const page = await openInbox(view.id)
    const table = page.getByRole('table', { name: 'Of Bell' })
    await table.waitFor()
    await button(page, 'Display').click()
    for (const [at, label] of ['Organization', 'Order', 'Contact: Plan'].entries()) {
      await tick(page.getByRole('checkbox', { name: label }))
      // Changes are sent at once, and those that are under way at the same time may arrive in another order.
      await until(async () => (await read(view.id)).columns?.length === at + 8)
    }
    for (const words of ['Bell Works', 'A-17', 'Gold'])
      await table.getByRole('cell', { name: words, exact: true }).waitFor()
    assert.equal((await olga.api.delete(`/custom-fields/${order.id}`)).status, 204)
    await page.reload()
    await views(page)
      .getByRole('link', { name: /Of Bell.*Needs attention/ })
      .waitFor()
    await button(page, 'Display').click()
    await page.getByRole('checkbox', { name: `${order.key} (deleted field)` }).click()
    await views(page).getByText('Needs attention').waitFor({ state: 'detached' })
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await until(async () => (await read(view.id)).columns.length === 9)
  },
)
