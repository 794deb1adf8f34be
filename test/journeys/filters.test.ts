import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseTyped, listAccessibilityViolations, listSmallTargets, untilIn } from '../browser.ts'
import { makeDepartment, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')

const word = `filters${unique()}`
const dashboard = useDashboard(async ({ server, olga }) => {
  await makeDepartment(server.db, server.acme, 'Billing')
  await olga.api.post('/custom-fields', { record: 'ticket', key: 'order', label: 'Order', type: 'text' })
  const make = (subject: string, fields = {}) =>
    makeTicket(server.api, { subject: `${word} ${subject}`, content: 'Hello', ...fields })
  await make('urgent', { priority: 'urgent', tags: ['vip'] })
  await make('high', { priority: 'high', custom_fields: { order: 'A-17' } })
  await make('low', { priority: 'low', tags: ['vip', 'trial'] })
})
const { olga } = dashboard

type Look = Parameters<typeof dashboard.open>[1]

async function openInbox(path: string, look: Look = {}): Promise<Page> {
  const page = await dashboard.open(olga, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...look,
  })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/${path}`)
  return page
}

const filters = (page: Page) => page.getByRole('region', { name: 'Filters' })
const chip = (page: Page, words: string) =>
  filters(page).getByRole('button', { name: `Edit filter: ${words}`, exact: true })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const dialog = (page: Page) => page.getByRole('dialog')

/** Waits until the list contains these tickets, in any order. */
const untilListed = (page: Page, names: string[]) =>
  untilIn(
    page,
    `(() => {
      const rows = [...document.querySelectorAll('a[data-ticket]')].map(row => row.textContent)
      const names = ${JSON.stringify(names)}
      return rows.length === names.length && names.every(name => rows.some(row => row.includes('${word} ' + name)))
    })()`,
  )

test('filters by keyboard alone: add, combine, edit, remove, go back', chromium, async () => {
  const page = await openInbox(`all?q=${word}`)
  await untilListed(page, ['urgent', 'high', 'low'])
  await page.keyboard.press('Shift+F')
  await chooseTyped(page, 'prio', 'Priority')
  await option(page, 'Urgent').waitFor()
  await chooseTyped(page, 'urg', 'Urgent')
  await untilListed(page, ['urgent'])
  await page.keyboard.press('Escape')
  await chip(page, 'Priority is Urgent').waitFor()
  await untilIn(page, `document.activeElement.getAttribute('aria-label') === 'Add filter'`)
  await page.keyboard.press('Enter')
  await chooseTyped(page, 'tags', 'Tags')
  await option(page, 'trial').waitFor()
  await chooseTyped(page, 'trial', 'trial')
  await untilListed(page, [])
  await page.keyboard.press('Escape')
  await page.getByLabel('Match').focus()
  await page.getByLabel('Match').selectOption('Match any')
  await untilListed(page, ['urgent', 'low'])
  assert.match(page.url(), /conditions=/)
  await chip(page, 'Tags include trial').press('Enter')
  await dialog(page).getByLabel('Condition').selectOption('include none of')
  await untilListed(page, ['urgent', 'high'])
  assert.deepEqual(listApartFromCovered(await listAccessibilityViolations(page)), [])
  assert.deepEqual(await listSmallTargets(page), [])
  await page.keyboard.press('Escape')
  await chip(page, 'Tags do not include trial').press('Backspace')
  await untilListed(page, ['urgent'])
  await untilIn(page, `document.activeElement.getAttribute('aria-label')?.includes('Priority')`)
  await page.goBack()
  await untilListed(page, ['urgent', 'high'])
  await page.reload()
  await untilListed(page, ['urgent', 'high'])
})

test('filters by mouse: a date preset, a custom field, people, and clearing', chromium, async () => {
  const page = await openInbox(`all?q=${word}`)
  const add = async (...names: string[]) => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    for (const name of names) await option(page, name).first().click()
  }
  await add('Created', 'Last 7 days')
  await chip(page, 'Created in the last 7 days').waitFor()
  await untilListed(page, ['urgent', 'high', 'low'])
  await add('Order')
  await dialog(page).getByLabel('Value').fill('a-17')
  await dialog(page).getByLabel('Value').press('Enter')
  await chip(page, 'Order contains a-17').waitFor()
  await untilListed(page, ['high'])
  await add('Assignee', 'Unassigned')
  await page.keyboard.press('Escape')
  await chip(page, 'Assignee is Unassigned').waitFor()
  await page.getByRole('button', { name: 'Remove filter: Order contains a-17' }).click()
  await untilListed(page, ['urgent', 'high', 'low'])
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await filters(page).waitFor({ state: 'detached' })
})

test('combines groups in the advanced filter', chromium, async () => {
  const page = await openInbox(`all?q=${word}`)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await option(page, 'Advanced filter').click()
  await dialog(page).getByRole('button', { name: 'Add group' }).first().click()
  const inner = dialog(page).getByRole('group', { name: 'Group' }).nth(1)
  await inner.getByLabel('Match').selectOption('Match none')
  await inner.getByLabel('Field').selectOption('Priority')
  await inner.getByRole('button', { name: /^Value: / }).click()
  await option(page, 'Urgent').click()
  await option(page, 'High').click()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Apply' }).click()
  await untilListed(page, ['low'])
  await chip(page, 'none of: Priority is any of Urgent, High').waitFor()
})

test('removing one of two equal comparisons keeps the text of the other', chromium, async () => {
  const page = await openInbox(`all?q=${word}`)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await option(page, 'Advanced filter').click()
  for (const [at, words] of ['first', 'second'].entries()) {
    await dialog(page).getByRole('button', { name: 'Add condition' }).click()
    await dialog(page).getByLabel('Field').nth(at).selectOption('Subject')
    await dialog(page).getByLabel('Value', { exact: true }).nth(at).fill(words)
  }
  const removal = dialog(page).getByRole('button', { name: 'Remove condition' })
  await removal.first().press('Enter')
  assert.equal(await dialog(page).getByLabel('Value', { exact: true }).inputValue(), 'second')
  await removal.press('Enter')
  await untilIn(page, `document.activeElement.textContent === 'Add condition'`)
})

test('links with the old parameters still work', chromium, async () => {
  const page = await openInbox(`all?q=${word}&priority=low&tag=vip&operator=none&channel=api`)
  await untilListed(page, ['low'])
  for (const words of ['Priority is Low', 'Tags include vip', 'Assignee is Unassigned', 'Channel is API'])
    await chip(page, words).waitFor()
})

/** A popover may cover a part of a button below it, which is then too small for axe. */
const listApartFromCovered = (violations: string[]): string[] =>
  violations.filter(one => !one.startsWith('target-size'))

for (const look of [
  { viewport: { width: 320, height: 700 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  { colorScheme: 'dark' },
] satisfies Look[]) {
  test(`filters are accessible and fit: ${JSON.stringify(look)}`, chromium, async () => {
    const page = await openInbox(`all?q=${word}&priority=low&tag=vip`, look)
    await page.addInitScript(`localStorage.deskbell = '{"dir":"rtl"}'`)
    await page.reload()
    await chip(page, 'Tags include vip').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await chip(page, 'Tags include vip').click()
    await option(page, 'vip').waitFor()
    assert.deepEqual(listApartFromCovered(await listAccessibilityViolations(page)), [])
    await untilIn(page, 'document.documentElement.scrollWidth <= innerWidth')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByLabel('Jump to date').waitFor()
    assert.deepEqual(listApartFromCovered(await listAccessibilityViolations(page)), [])
  })
}
