import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keepToasts, listAccessibilityViolations, pressItem } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

/** Actions on many tickets: their progress, and how they are stopped and undone. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

/** More tickets than one request can change. */
const manyTickets = 130

/** Makes tickets that a search for the word finds. */
async function makeMany(count: number): Promise<string> {
  const word = `many${unique()}`
  const { api } = dashboard.server
  for (let at = 0; at < count; at += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, count - at) }, () => makeTicket(api, { tags: [word] })),
    )
  return word
}

async function openList(tag: string, options = {}): Promise<Page> {
  const page = await dashboard.open(olga, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  await keepToasts(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/all?tag=${tag}`)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .waitFor()
  // The filters are above the list. They may be loaded later than the rows, which they move.
  await page.getByRole('region', { name: 'Filters' }).waitFor()
  return page
}

async function countBy(tag: string): Promise<Record<string, number>> {
  const rows = await dashboard.server.db<{ status: string; count: string }[]>`
    select status, count(*) from tickets where ${tag} = any(tags) group by status`
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
}

const toast = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words)

/** Selects all tickets of the view by keyboard, and closes them from the toolbar. */
async function closeAll(page: Page): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: `Select all ${manyTickets} in this view` }).waitFor()
  await page.keyboard.press('Shift+A')
  await page.getByRole('toolbar', { name: `${manyTickets} tickets selected` }).waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Close' }).press('Enter')
}

test('all tickets of a view can be selected, closed and reopened, by keyboard alone', chromium, async () => {
  const tag = await makeMany(manyTickets)
  const page = await openList(tag)
  await closeAll(page)
  await toast(page, `${manyTickets} tickets closed`).waitFor()
  assert.deepEqual(await countBy(tag), { closed: manyTickets })
  await page.keyboard.press('z')
  await toast(page, `Changes undone for ${manyTickets} tickets`).waitFor()
  assert.deepEqual(await countBy(tag), { new: manyTickets })
})

test(
  'an action on many tickets shows its progress, and what it did before it was stopped can be undone',
  chromium,
  async () => {
    const tag = await makeMany(manyTickets)
    const page = await openList(tag, { colorScheme: 'dark' })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let requests = 0
    await page.route('**/tickets/bulk', async route => {
      requests += 1
      if (requests === 1) await held
      await route.fallback()
    })
    await closeAll(page)
    const words = `Updating tickets: 0 of ${manyTickets}`
    await page.getByText(words, { exact: true }).waitFor()
    assert.equal(await page.getByRole('progressbar', { name: words }).getAttribute('aria-valuenow'), '0')
    await page.getByRole('button', { name: 'Cancel' }).focus()
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    release()
    await toast(page, `Stopped: 100 of ${manyTickets} tickets updated`).waitFor()
    assert.deepEqual([requests, await countBy(tag)], [1, { closed: 100, new: manyTickets - 100 }])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await toast(page, 'Changes undone for 100 tickets').waitFor()
    assert.deepEqual(await countBy(tag), { new: manyTickets })
  },
)

test(
  'after undoing, the tickets that others have changed since are listed, with who changed them',
  chromium,
  async () => {
    const tag = await makeMany(2)
    const page = await openList(tag)
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).press('Enter')
    await pressItem(page.getByRole('menuitem', { name: 'Priority…' }))
    const picker = page.getByRole('dialog', { name: 'Priority' })
    await picker.locator('input:focus').waitFor()
    await page.keyboard.type('Urgent')
    await picker.locator('[data-combobox-selected]', { hasText: 'Urgent' }).waitFor()
    await page.keyboard.press('Enter')
    await toast(page, '2 tickets updated').waitFor()
    const { items } = (await dashboard.server.api.get(`/tickets?tag=${tag}`)).body
    const [other] = items
    await dashboard.server.api.patch(`/tickets/${other.id}`, { priority: 'low' })
    await page.keyboard.press('z')
    const list = page.getByRole('dialog', { name: 'Changes to 1 ticket weren’t fully undone' })
    await list
      .getByText(new RegExp(`^#${other.short_id} .*Priority stays as it is because .+ has changed it since`))
      .waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    const priorities = (await dashboard.server.api.get(`/tickets?tag=${tag}&sort=created_at`)).body.items
    assert.deepEqual(priorities.map(({ priority }: { priority: string }) => priority).sort(), [
      'low',
      'normal',
    ])
  },
)

test(
  'on a phone, a tag is added to several tickets as one change, which can be undone',
  chromium,
  async () => {
    const tag = await makeMany(3)
    const page = await openList(tag, { viewport: { width: 390, height: 800 } })
    const boxes = page.getByRole('checkbox', { name: /^Select / })
    await boxes.first().check()
    // The toolbar replaces what was above the list, so that the rows move.
    await page.getByRole('toolbar').waitFor()
    for (const box of await boxes.all()) await box.check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Tags…' }).click()
    await page.getByRole('dialog', { name: 'Tags' }).locator('input:focus').waitFor()
    const added = `added${unique()}`
    await page.keyboard.type(added)
    await page.getByRole('option', { name: /Add tag/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await toast(page, '3 tickets updated').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    assert.deepEqual(await countBy(added), { new: 3 })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await toast(page, 'Changes undone for 3 tickets').waitFor()
    assert.deepEqual([await countBy(added), await countBy(tag)], [{}, { new: 3 }])
  },
)

test('the message about an action says how many tickets it left out, and why', chromium, async () => {
  const tag = await makeMany(4)
  const { api } = dashboard.server
  const [closed, merged, into] = (await api.get(`/tickets?tag=${tag}`)).body.items
  assert.equal((await api.post(`/tickets/${closed.id}/close`)).status, 200)
  const merging = { into_ticket_id: into.id, force: true }
  assert.equal((await api.post(`/tickets/${merged.id}/merge`, merging)).status, 200)
  const page = await openList(tag)
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: '4 tickets selected' }).waitFor()
  await page.keyboard.press('c')
  await toast(
    page,
    /^2 tickets closed\. Left out: (1 already closed, 1 merged|1 merged, 1 already closed)$/,
  ).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})
