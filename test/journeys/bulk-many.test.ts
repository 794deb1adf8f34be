import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createStorages } from '../../src/media/media.ts'
import { continueDataDeletions } from '../../src/personal-data/personal-data.ts'
import { keepToasts, listAccessibilityViolations } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

/** Actions on selected tickets by keys: hundreds at once, merging, deleting, taking over, and undoing twice. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

async function makeMany(count: number, fields: object = {}): Promise<string> {
  const word = `many${unique()}`
  const make = () => makeTicket(dashboard.server.api, { tags: [word], ...fields })
  for (let at = 0; at < count; at += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - at) }, make))
  return word
}

async function openList(tag: string): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await keepToasts(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/all?tag=${tag}`)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .waitFor()
  return page
}

const valuesOf = async (tag: string, field: string): Promise<Record<string, number>> => {
  const rows = await dashboard.server.db<{ value: string; count: number }[]>`
    select ${dashboard.server.db(field)}::text as value, count(*)::int from tickets
    where project_id = ${dashboard.server.acme.id} and ${tag} = any(tags) group by 1`
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]))
}

const toast = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words)

async function selectAll(page: Page, count: number): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: `${count} tickets selected` }).waitFor()
}

test('300 tickets of a view are changed and the change is undone, by keys alone', chromium, async () => {
  const tag = await makeMany(300)
  const page = await openList(tag)
  await page.keyboard.press('Shift+A')
  await page.getByRole('toolbar', { name: '300 tickets selected' }).waitFor()
  await page.keyboard.press('p')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('Urg')
  await page.getByRole('dialog').locator('[data-combobox-selected]', { hasText: 'Urgent' }).waitFor()
  await page.keyboard.press('Enter')
  await toast(page, '300 tickets updated').waitFor()
  assert.deepEqual(await valuesOf(tag, 'priority'), { urgent: 300 })
  await page.keyboard.press('z')
  await toast(page, 'Changes undone for 300 tickets').waitFor()
  assert.deepEqual(await valuesOf(tag, 'priority'), { normal: 300 })
})

test('undoing a change of many tickets twice says that it is already undone', chromium, async () => {
  const tag = await makeMany(2)
  const page = await openList(tag)
  await selectAll(page, 2)
  await page.keyboard.press('c')
  await toast(page, '2 tickets closed').waitFor()
  const [ticket] = (await dashboard.server.api.get(`/tickets?tag=${tag}`)).body.items
  const { run_id } = (await dashboard.server.api.get(`/tickets/${ticket.id}/history`)).body.items[0]
  // Somebody undoes it in another window.
  const { status } = await olga.api.post('/tickets/bulk/undo', { run_id })
  assert.equal(status, 200)
  await page.keyboard.press('z')
  await toast(page, 'Already undone').waitFor()
})

test(
  'M merges the selected tickets into the one that is chosen, and Z undoes the merge',
  chromium,
  async () => {
    const tag = await makeMany(3)
    const { items } = (await dashboard.server.api.get(`/tickets?tag=${tag}&sort=created_at`)).body
    const page = await openList(tag)
    await selectAll(page, 3)
    await page.keyboard.press('m')
    const picker = page.getByRole('dialog', { name: 'Merge 3 tickets into' })
    await picker.locator('input:focus').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.type(`#${items[0].short_id} `)
    await picker.locator('[data-combobox-selected]', { hasText: `#${items[0].short_id} ` }).waitFor()
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('dialog', { name: `Merge 2 tickets into #${items[0].short_id}?` })
    await confirm.getByText('2 tickets belong to other contacts.').waitFor()
    // The dialog first puts the focus on the other button.
    await confirm.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await confirm.getByRole('button', { name: 'Merge' }).press('Enter')
    await toast(page, `2 tickets merged into #${items[0].short_id}`).waitFor()
    await page.waitForURL(`**/inbox/all/${items[0].short_id}?**`)
    assert.deepEqual(await valuesOf(tag, 'merged_into_id'), { [items[0].id]: 2, null: 1 })
    await page.keyboard.press('z')
    await toast(page, 'Merge undone').waitFor()
    assert.deepEqual(await valuesOf(tag, 'merged_into_id'), { null: 3 })
  },
)

test('# deletes the selected tickets after their number has been typed', chromium, async () => {
  const tag = await makeMany(3)
  const page = await openList(tag)
  await selectAll(page, 3)
  await page.keyboard.press('#')
  const dialog = page.getByRole('dialog', { name: 'Delete 3 tickets?' })
  await dialog.getByRole('textbox', { name: 'Type “3” to confirm' }).fill('3')
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Enter')
  await page.getByText('3 tickets are being deleted').waitFor()
  await page.getByRole('toolbar').waitFor({ state: 'hidden' })
  const { server } = dashboard
  const deps = { ...server, storages: createStorages(server) }
  while ((await continueDataDeletions(deps, server.acme.id)) > 0);
  assert.deepEqual(await valuesOf(tag, 'status'), {})
})

test(
  'Shift+T takes over the selected tickets of others, and ! marks those selected as spam',
  chromium,
  async () => {
    const tag = await makeMany(2, { operator_id: olga.id })
    const page = await openList(tag)
    await selectAll(page, 2)
    await page.keyboard.press('Shift+T')
    await page.getByText('This doesn’t apply to any of the selected tickets.').waitFor()
    await page.keyboard.press('!')
    await toast(page, '2 tickets updated').waitFor()
    assert.deepEqual(await valuesOf(tag, 'is_spam'), { true: 2 })
  },
)
