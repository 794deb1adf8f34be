import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keepToasts, untilIn } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

/** Every key of an action, pressed while two of three tickets are selected. */

const chromium = needs('chromium')

let omar: Person
let billingId: string
const dashboard = useDashboard(async ({ server, olga }) => {
  omar = await joinProject(server, server.acme, { name: 'Omar' })
  // The first department is the default of new tickets.
  await olga.api.post('/departments', { name: 'Sales' })
  billingId = (await olga.api.post('/departments', { name: 'Billing' })).body.id
})
const { olga } = dashboard

type Fields = Record<string, unknown>

/** Tickets of a list, the newest first, and the list with the first two selected. */
async function selectTwo(fields: Fields = {}): Promise<{ page: Page; tag: string }> {
  const tag = `verb${unique()}`
  for (const name of ['third', 'second', 'first'])
    await makeTicket(dashboard.server.api, { subject: `${tag} ${name}`, tags: [tag], ...fields })
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await keepToasts(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/all?tag=${tag}&sort=-created_at`)
  await page.getByRole('link', { name: `${tag} third` }).waitFor()
  await selectAgain(page)
  return { page, tag }
}

async function selectAgain(page: Page): Promise<void> {
  await page.getByRole('toolbar').waitFor({ state: 'detached' })
  await page.locator('[data-row="0"] a[data-ticket]').focus()
  await page.keyboard.press('Shift+J')
  await page.getByRole('toolbar', { name: '2 tickets selected' }).waitFor()
}

/** Chooses an option of the open dialog by typing a part of it. */
async function choose(page: Page, typed: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type(typed)
  await dialog.locator('[data-combobox-selected]', { hasText: typed }).waitFor()
  await page.keyboard.press('Enter')
}

const readAll = async (tag: string): Promise<Fields[]> =>
  (await olga.api.get(`/tickets?tag=${tag}&sort=-created_at`)).body.items

/** Waits until the field has these values, from the newest ticket to the oldest. */
async function untilStored(tag: string, field: string, ...values: unknown[]): Promise<void> {
  const read = async () => (await readAll(tag)).map(ticket => ticket[field])
  await until(async () => JSON.stringify(await read()) === JSON.stringify(values)).catch(async () =>
    assert.deepEqual(await read(), values),
  )
}

const updated = (page: Page) => page.getByRole('status').getByText('2 tickets updated')

test('T takes the selected tickets, A assigns them, and Z undoes both', chromium, async () => {
  const { page, tag } = await selectTwo()
  await page.keyboard.press('t')
  await untilStored(tag, 'operator_id', olga.id, olga.id, null)
  await selectAgain(page)
  await page.keyboard.press('a')
  await choose(page, 'Omar')
  await untilStored(tag, 'operator_id', omar.id, omar.id, null)
  await page.getByRole('toolbar').waitFor({ state: 'detached' })
  await page.keyboard.press('z')
  await untilStored(tag, 'operator_id', olga.id, olga.id, null)
  await page.keyboard.press('z')
  await untilStored(tag, 'operator_id', null, null, null)
})

test('F transfers the selected tickets to a department', chromium, async () => {
  const { page, tag } = await selectTwo()
  const [{ department_id: sales }] = (await readAll(tag)) as [Fields]
  await page.keyboard.press('f')
  await choose(page, 'Billing')
  await page.getByRole('dialog', { name: 'Who in Billing should take it?' }).waitFor()
  await choose(page, 'Anyone in Billing')
  await untilStored(tag, 'department_id', billingId, billingId, sales)
})

test('S snoozes the selected tickets, Shift+S ends that, Shift+P sets a status', chromium, async () => {
  const { page, tag } = await selectTwo()
  await page.keyboard.press('s')
  await choose(page, 'Tomorrow morning')
  await untilStored(tag, 'status', 'on_hold', 'on_hold', 'new')
  const [one, other] = await readAll(tag)
  assert.ok(one!.snoozed_until)
  assert.equal(one!.snoozed_until, other!.snoozed_until)
  // The action applies to snoozed tickets only, and the list learns of the change after the server.
  for (const row of [0, 1])
    await page.locator(`[data-row="${row}"]`).getByRole('img', { name: 'Status: On hold' }).waitFor()
  await selectAgain(page)
  await page.keyboard.press('Shift+S')
  await untilStored(tag, 'snoozed_until', null, null, null)
  await untilStored(tag, 'status', 'open', 'open', 'new')
  await selectAgain(page)
  await page.keyboard.press('Shift+P')
  await choose(page, 'Pending')
  await untilStored(tag, 'status', 'pending', 'pending', 'new')
})

test('L adds a tag to the selected tickets and keeps their others', chromium, async () => {
  const { page, tag } = await selectTwo()
  await page.keyboard.press('l')
  await choose(page, `new${tag}`)
  await updated(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await untilStored(tag, 'tags', [tag, `new${tag}`], [tag, `new${tag}`], [tag])
})

test('Shift+C closes the selected tickets, because several have no next one', chromium, async () => {
  const { page, tag } = await selectTwo()
  await page.keyboard.press('Shift+C')
  await untilStored(tag, 'status', 'closed', 'closed', 'new')
  assert.match(page.url(), /\/inbox\/all\?/)
})

test('U and Shift+U mark the selected tickets as unread and as read', chromium, async () => {
  const { page, tag } = await selectTwo({ content: 'Hello' })
  await page.keyboard.press('Shift+U')
  await untilStored(tag, 'is_unread', false, false, true)
  await selectAgain(page)
  await page.keyboard.press('u')
  await untilStored(tag, 'is_unread', true, true, true)
})

test('Y copies the links of the selected tickets', chromium, async () => {
  const { page, tag } = await selectTwo()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('y')
  await page.getByText('Links copied').waitFor()
  const numbers = (await readAll(tag)).slice(0, 2).map(ticket => ticket.short_id)
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.deepEqual(
    copied.split('\n').sort(),
    numbers.map(number => `${dashboard.base}/p/${dashboard.server.acme.id}/inbox/open/${number}`).sort(),
  )
  await untilIn(page, `document.querySelectorAll('input[type=checkbox]:checked').length === 2`)
})
