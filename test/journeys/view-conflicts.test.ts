import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

/** Two people change the same saved view. */

const chromium = needs('chromium')

const dashboard = useDashboard(async ({ server }) => {
  await makeTicket(server.api, { subject: 'Urgent lamp', priority: 'urgent' })
})
const { olga } = dashboard

const ofPriority = (value: string) => ({ all: [{ field: 'priority', op: 'any_of', value: [value] }] })

async function makeView(): Promise<{ id: string; name: string }> {
  const view = { name: unique(), filters: { conditions: ofPriority('urgent') }, visibility: 'everyone' }
  const { status, text, body } = await olga.api.post('/views', view)
  assert.equal(status, 201, text)
  return body
}

/** Changes the view as another admin would. Open pages do not hear of it. */
const change = async (id: string, fields: object) =>
  assert.equal((await olga.api.patch(`/views/${id}`, fields)).status, 200)

const read = async (id: string) =>
  (await olga.api.get('/views')).body.items.find((one: { id: string }) => one.id === id)

async function open(path: string): Promise<Page> {
  const page = await dashboard.open(olga, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  return page
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

test(
  "saving filters again replaces someone else's changes, but the first attempt only shows the conflict",
  chromium,
  async () => {
    const { id } = await makeView()
    const page = await open(`inbox/${id}`)
    await button(page, /^Edit filter: Priority/).click()
    await page.getByRole('option', { name: 'Low' }).click()
    await page.keyboard.press('Escape')
    await button(page, 'Save changes').waitFor()
    await change(id, { filters: { conditions: ofPriority('high') }, name: 'Renamed' })
    await button(page, 'Save changes').click()
    await page.getByText('Someone else has changed this view.', { exact: false }).waitFor()
    assert.deepEqual((await read(id)).filters.conditions, ofPriority('high'))
    await button(page, 'Save changes').click()
    await button(page, 'Save changes').waitFor({ state: 'detached' })
    const { filters, name } = await read(id)
    assert.deepEqual([filters.conditions.all[0].value, name], [['urgent', 'low'], 'Renamed'])
  },
)

test('saving filters does not conflict with a change of the name', chromium, async () => {
  const { id } = await makeView()
  const page = await open(`inbox/${id}`)
  await button(page, /^Edit filter: Priority/).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await page.keyboard.press('Escape')
  await button(page, 'Save changes').waitFor()
  await change(id, { name: 'Renamed' })
  await button(page, 'Save changes').click()
  await button(page, 'Save changes').waitFor({ state: 'detached' })
  const { filters, name } = await read(id)
  assert.deepEqual([filters.conditions.all[0].value, name], [['urgent', 'low'], 'Renamed'])
})

test("the view's dialog shows both versions if someone else saved it first", chromium, async () => {
  const { id, name } = await makeView()
  const page = await open('settings/views')
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine')
  await change(id, { name: 'Theirs', visibility: 'private' })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Someone else saved changes while you were editing', { exact: true }).waitFor()
  for (const words of ['Mine', 'Theirs', 'Everyone', 'Only me'])
    await dialog.getByRole('cell', { name: words, exact: true }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.partialDeepStrictEqual(await read(id), { name: 'Mine', visibility: 'everyone' })
})
