import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { listAccessibilityViolations, listSmallTargets, untilIn } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** Selecting tickets and acting on them by keyboard alone. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

const names = ['fifth', 'fourth', 'third', 'second', 'first']

interface List {
  word: string
  page: Page
  row(name: string): Locator
}

/** Opens a list of five tickets, `first` on top. */
async function openFive(options = {}, fields: object = {}): Promise<List> {
  const word = `keys${unique()}`
  for (const name of names)
    await makeTicket(dashboard.server.api, { subject: `${word} ${name}`, tags: [word], ...fields })
  const page = await dashboard.open(olga, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/all?tag=${word}`)
  const row = (name: string) => page.getByRole('link', { name: `${word} ${name}` })
  await row('fifth').waitFor()
  // The filters are above the list. They may be loaded later than the rows, which they move.
  await page.getByRole('region', { name: 'Filters' }).waitFor()
  return { word, page, row }
}

const listSelected = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('input[type=checkbox]:checked')].map(one => one.ariaLabel.split(' ').at(-1))`,
  )

const untilSelected = (page: Page, ...expected: string[]): Promise<unknown> =>
  until(async () => (await listSelected(page)).join() === expected.join()).catch(async () =>
    assert.deepEqual(await listSelected(page), expected),
  )

const ticketsOf = async (word: string) =>
  (await dashboard.server.api.get(`/tickets?tag=${word}&sort=-created_at`)).body.items

async function untilStored(word: string, field: string, expected: unknown[]): Promise<void> {
  const read = async () => (await ticketsOf(word)).map((ticket: Record<string, unknown>) => ticket[field])
  await until(async () => JSON.stringify(await read()) === JSON.stringify(expected)).catch(async () =>
    assert.deepEqual(await read(), expected),
  )
}

const announced = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true })

test('Shift with J, K and the arrow keys extends the selection from an anchor', chromium, async () => {
  const { page, row } = await openFive()
  await row('second').focus()
  await page.keyboard.press('Shift+J')
  await untilSelected(page, 'second', 'third')
  await page.keyboard.press('Shift+ArrowDown')
  await untilSelected(page, 'second', 'third', 'fourth')
  await announced(page, '3 tickets selected').waitFor({ state: 'attached' })
  for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+K')
  await untilSelected(page, 'first', 'second')
  await page.keyboard.press('Shift+ArrowDown')
  await untilSelected(page, 'second')
  // A row that was selected before the anchor stays selected.
  await row('fifth').focus()
  await page.keyboard.press('x')
  await row('second').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowUp')
  await untilSelected(page, 'first', 'second', 'fifth')
  await page.keyboard.press('Escape')
  await untilSelected(page)
  assert.match(page.url(), /\/all\?/)
})

test('a Shift-click on a row or its checkbox selects the range from the last one', chromium, async () => {
  const { page, row, word } = await openFive()
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${word} ${name}` })
  await box('second').click()
  // The toolbar replaces what was above the list, so that the rows move.
  await page.getByRole('toolbar').waitFor()
  await row('fourth').click({ modifiers: ['Shift'] })
  await untilSelected(page, 'second', 'third', 'fourth')
  await box('first').click({ modifiers: ['Shift'] })
  await untilSelected(page, 'first', 'second')
  assert.equal(page.context().pages().length, 1)
  assert.equal(await page.evaluate('getSelection().toString()'), '')
  assert.deepEqual(await listSmallTargets(page), [])
  const size = (await box('first').locator('..').boundingBox())!
  assert.ok(size.width >= 24 && size.height >= 24)
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test('Ctrl+A selects all loaded rows, but in a field its text', chromium, async () => {
  const { page } = await openFive()
  await page.keyboard.press('Control+a')
  await untilSelected(page, ...names.toReversed())
  await page.keyboard.press('Escape')
  const field = page.getByRole('textbox', { name: 'Search this view…' })
  await field.fill('some words')
  await field.press('Control+a')
  await untilSelected(page)
  assert.equal(await page.evaluate('getSelection().toString()'), 'some words')
})

/** Selects the first two rows, and waits until the keys act on them. */
async function selectTwo({ page, row }: List): Promise<void> {
  await row('first').focus()
  await page.keyboard.press('Shift+J')
  await page.getByRole('toolbar', { name: '2 tickets selected' }).waitFor()
}

async function pick(page: Page, key: string, option: string): Promise<void> {
  await page.keyboard.press(key)
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type(option)
  await page.getByRole('dialog').locator('[data-combobox-selected]', { hasText: option }).waitFor()
  await page.keyboard.press('Enter')
}

test(
  'keys act on the selection even if a ticket is open, and the focus stays in the list',
  chromium,
  async () => {
    const list = await openFive()
    const { page, row, word } = list
    await row('fifth').click()
    await page.getByRole('textbox', { name: 'Reply' }).waitFor()
    await selectTwo(list)
    await pick(page, 'p', 'Urgent')
    await untilStored(word, 'priority', ['urgent', 'urgent', 'normal', 'normal', 'normal'])
    await page.getByRole('toolbar').waitFor({ state: 'hidden' })
    await untilIn(page, `document.activeElement.matches('a[data-ticket]')`)
    await selectTwo(list)
    await page.getByRole('toolbar').getByRole('button', { name: 'Close' }).press('Enter')
    await untilStored(word, 'status', ['closed', 'closed', 'new', 'new', 'new'])
    await page.getByRole('toolbar').waitFor({ state: 'hidden' })
    await untilIn(page, `document.activeElement.matches('a[data-ticket]')`)
    await selectTwo(list)
    // The list learns of the change after the server, and an open ticket cannot be reopened.
    await page.getByRole('toolbar').getByRole('button', { name: 'Reopen' }).waitFor()
    await page.keyboard.press('o')
    await untilStored(word, 'status', ['open', 'open', 'new', 'new', 'new'])
    await page.getByRole('toolbar').waitFor({ state: 'hidden' })
    // Without a selection, the same key acts on the open ticket.
    await page.keyboard.press('c')
    await untilStored(word, 'status', ['open', 'open', 'new', 'new', 'closed'])
  },
)
