import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, untilIn } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

const rows = 10_000

const dashboard = useDashboard(async ({ server: { api, db, acme } }) => {
  const { id } = await makeTicket(api, { subject: 'One of many' })
  const lot = 1_000
  for (let from = 0; from < rows; from += lot)
    await db`
    with made as (
      insert into tickets (project_id, id, number, contact_id, subject, status, priority, channel, created_at)
      select project_id, uuid_v7(), 100000 + n, contact_id, 'Ticket ' || n, status, priority, channel,
        timestamptz '2025-01-01 12:00Z' + n * interval '1 hour'
      from tickets, generate_series(${from + 1}::int, ${Math.min(from + lot, rows - 1)}::int) n where project_id = ${acme.id} and id = ${id}
      returning project_id, id, created_at
    ) insert into ticket_activity (project_id, ticket_id, updated_at) select project_id, id, created_at from made`
  await db`analyze tickets, ticket_activity`
})
const { olga } = dashboard

/** The largest number of rows that a list may keep in the page. */
const maxRows = 200

/** `prepare` gets the page before anything is loaded. */
async function openList(path: string, prepare: (page: Page) => unknown = () => {}): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await prepare(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/${path}`)
  await page.locator('[data-row="19"]').waitFor()
  return page
}

/** Scrolls to the end until all rows have been loaded, and returns the largest number of rows in the page at any time. */
const scrollToEnd = (page: Page): Promise<number> => scrollTo(page, rows - 1)

const scrollTo = (page: Page, row: number): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const box = document.querySelector('[data-row]').closest('[aria-busy]')
    let max = 0
    for (const end = Date.now() + 240000; Date.now() < end; ) {
      box.scrollTop = box.scrollHeight
      await new Promise(done => requestAnimationFrame(done))
      const shown = document.querySelectorAll('[data-row]')
      max = Math.max(max, shown.length)
      if (Number(shown[shown.length - 1].dataset.row) >= ${row}) return max
    }
    throw new Error('The end was not reached')
  })()`)

const untilFocused = (page: Page, row: number) =>
  untilIn(page, `document.activeElement.closest('[data-row]')?.dataset.row === '${row}'`)

async function walk(page: Page): Promise<void> {
  const most = await scrollToEnd(page)
  assert.ok(most > 20 && most <= maxRows, `${most} rows were in the page`)
  await page.locator('a[data-ticket]').first().focus()
  await page.keyboard.press('End')
  await untilFocused(page, rows - 1)
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.getByText('1 ticket selected').waitFor()
  await untilFocused(page, rows - 2)
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Home')
  await untilFocused(page, 0)
  await untilIn(page, `document.querySelector('[data-row="10"]') !== null`)
  await page.keyboard.press('Escape')
}

test(
  'the list and the table keep few of 10,000 rows in the page while scrolling, and the keyboard reaches all',
  chromium,
  async () => {
    const page = await openList('all?sort=-created_at')
    await walk(page)
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('table').waitFor()
    await page.keyboard.press('Escape')
    await walk(page)
    await page.context().close()
  },
)

test(
  'an event of one ticket fetches only that ticket of a long list, and puts it into its place',
  chromium,
  async () => {
    const { api } = dashboard.server
    const asked: string[] = []
    const loaded = Promise.withResolvers<void>()
    const page = await openList('all?sort=-created_at', async opened => {
      // Counts, and further pages while scrolling, are no reloads.
      const isReload = (url: string) => /\/tickets\?(?!.*(cursor=|page_size=1\b))/.test(url)
      opened.on('request', one => isReload(one.url()) && asked.push(one.url()))
      await opened.route('**/live?*', route => loaded.promise.then(() => route.continue()).catch(() => {}))
    })
    // The list is loaded once more when the stream of events has begun, unless it is still loading then.
    loaded.resolve()
    await until(() => asked.length >= 2)
    await scrollTo(page, 400)
    asked.splice(0)
    await page.evaluate(`document.querySelector('[data-row]').closest('[aria-busy]').scrollTop = 0`)
    const made = await makeTicket(api, { subject: 'Made just now' })
    await page.locator('[data-row="0"]').getByText('Made just now').waitFor()
    await api.patch(`/tickets/${made.id}`, { subject: 'Changed just now' })
    await page.locator('[data-row="0"]').getByText('Changed just now').waitFor()
    await api.patch(`/tickets/${made.id}`, { is_spam: true })
    await page.locator('[data-row="0"]').getByText('One of many').waitFor()
    assert.equal(asked.length >= 3, true)
    for (const url of asked) assert.match(url, new RegExp(`[?&]ids=${made.id}`))
  },
)

test('the list jumps to the tickets of a day, and back', chromium, async () => {
  const page = await openList('all?sort=-created_at')
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByLabel('Jump to date').fill('2025-03-05')
  await page.keyboard.press('Enter')
  const first = page.locator('[data-row="0"]')
  // The last one of that day, at 23:00.
  await first.getByText('Ticket 1523').waitFor()
  await page.getByRole('button', { name: /^Edit filter: Created before/ }).waitFor()
  await page.goBack()
  await first.getByText('One of many').waitFor()
})

test('J opens one ticket after another, also beyond those that the list has loaded', chromium, async () => {
  const page = await openList('all?sort=-created_at')
  // At this height, the last loaded row can be visible without what follows it.
  await page.setViewportSize({ width: 1440, height: 840 })
  await page.locator('a[data-ticket]').first().press('Enter')
  await page.getByRole('article').first().waitFor()
  for (let row = 1; row < 50; row++) {
    await page.keyboard.press('j')
    await untilFocused(page, row)
    await page.locator(`[data-row="${row}"][data-open]`).waitFor()
  }
})
