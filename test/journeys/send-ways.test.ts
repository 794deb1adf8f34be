import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, tick, untilHolds, untilIn } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')
// A slow machine needs more than the usual ten seconds until it undoes a reply.
const undo_seconds = { widget: 30, email: 30, api: 30, telegram: 0, other: 0 }
const dashboard = useDashboard(({ olga }) => olga.api.patch('/inbox-settings', { undo_seconds }))

/** A person with two tickets of their own, and the first one open with the focus in the reply. */
async function write(
  work = {},
): Promise<{ page: Page; person: Person; first: { id: string }; next: string }> {
  const { server } = dashboard
  const person = await joinProject(server, server.acme, { name: 'Ann Lee' })
  await person.own.patch('/me', { settings: { work } })
  const word = unique()
  const [first] = [
    await makeTicket(server.api, { subject: `${word} one`, content: 'Hi', operator_id: person.id }),
    await makeTicket(server.api, { subject: `${word} two`, content: 'Hi', operator_id: person.id }),
  ]
  const page = await dashboard.open(person, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await page.goto(`/p/${server.acme.id}/inbox/mine/${first.short_id}`)
  await page.getByRole('link', { name: `${word} two` }).waitFor()
  // What is typed before would not be among what the editor can undo.
  await untilFormatted(page.getByRole('textbox', { name: 'Reply' }))
  await page.keyboard.press('r')
  await untilIn(page, `document.activeElement.getAttribute('aria-label') === 'Reply'`)
  await page.keyboard.type('Hello')
  return { page, person, first, next: `${word} two` }
}

const read = async (id: string) => (await dashboard.server.api.get(`/tickets/${id}`)).body
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const dialog = (page: Page) => page.getByRole('dialog')

function morningOfTomorrow(): string {
  const time = new Date()
  time.setDate(time.getDate() + 1)
  time.setHours(9, 0, 0, 0)
  return time.toISOString()
}

async function untilReady(page: Page): Promise<void> {
  await dialog(page).locator('[data-combobox-selected]').waitFor()
  await dialog(page).locator('input:focus').waitFor()
}

test('sends and snoozes in one dialog by keys, and undo reverts both', chromium, async () => {
  const { page, first, next } = await write({ after_done: 'next' })
  await page.keyboard.press('Control+Shift+F')
  await untilReady(page)
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.type('tomorrow 10:30')
  await untilReady(page)
  await page.keyboard.press('Enter')
  await heading(page, next).waitFor()
  await until(async () => (await read(first.id)).snoozed_until !== null)
  const { snoozed_until, status } = await read(first.id)
  const time = new Date(`${snoozed_until}Z`)
  assert.deepEqual([status, time.getHours(), time.getMinutes()], ['on_hold', 10, 30])
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.keyboard.press('z')
  await page.getByRole('textbox', { name: 'Reply' }).getByText('Hello').waitFor()
  await until(async () => (await read(first.id)).snoozed_until === null)
})

test('schedules a reply with a preset, without the mouse', chromium, async () => {
  const { page, person, first } = await write()
  const before = morningOfTomorrow()
  await page.keyboard.press('Control+Shift+L')
  await untilReady(page)
  await page.getByRole('option', { name: /^Tomorrow morning/ }).waitFor()
  await page.keyboard.type('tomorrow m')
  await untilReady(page)
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Hello').waitFor()
  const { items } = (await person.api.get(`/tickets/${first.id}/messages`)).body
  const { send_at } = items.at(-1)
  // At midnight, tomorrow becomes another day.
  const wanted = [before, morningOfTomorrow()]
  assert.ok(wanted.includes(new Date(`${send_at}Z`).toISOString()), send_at)
})

test('a ticket is snoozed until an exact time, and a time in the past is refused', chromium, async () => {
  const { page, first } = await write()
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await untilReady(page)
  await page.keyboard.type('pick')
  await untilReady(page)
  await page.keyboard.press('Enter')
  const field = dialog(page).getByLabel('Date and time')
  await field.fill('2020-01-01T10:00')
  await field.press('Enter')
  await dialog(page).getByText('Choose a time in the future.').waitFor()
  await field.fill('2099-05-06T07:08')
  await field.press('Enter')
  await until(async () => (await read(first.id)).snoozed_until !== null)
  const time = new Date(`${(await read(first.id)).snoozed_until}Z`)
  assert.deepEqual([time.getFullYear(), time.getMonth(), time.getHours(), time.getMinutes()], [2099, 4, 7, 8])
})

test('sends, opens the next ticket, and undo by Z returns the reply to the editor', chromium, async () => {
  const { page, first, next } = await write()
  await page.keyboard.press('Control+Shift+Enter')
  await heading(page, next).waitFor()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.getByText(/\d s/).waitFor()
  const before = await undo.textContent()
  await until(async () => (await undo.textContent()) !== before)
  await page.keyboard.press('z')
  await page.getByRole('textbox', { name: 'Reply' }).getByText('Hello').waitFor()
  assert.notEqual((await read(first.id)).waiting_since, null)
})

test(
  'Ctrl+Z in the empty field takes back the reply that was just sent, and then undoes typing again',
  chromium,
  async () => {
    const { page, first } = await write()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await page.keyboard.press('Control+Enter')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor()
    await untilHolds(reply, '')
    await page.keyboard.type('x')
    await page.keyboard.press('Control+z')
    await untilHolds(reply, '')
    await page.getByRole('log').getByText('Hello').waitFor()
    await page.keyboard.press('Control+z')
    await untilHolds(reply, 'Hello')
    const { items } = (await dashboard.server.api.get(`/tickets/${first.id}/messages`)).body
    assert.equal(items.length, 1)
    await page.keyboard.type(' again')
    await untilHolds(reply, 'Hello again')
  },
)

test('remembers the last way of sending only if the person wants it', chromium, async () => {
  const { page, person } = await write()
  await page.getByRole('button', { name: 'More send options' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Remember my choice' }).click()
  await page.getByRole('menuitem', { name: 'Send and open next' }).click()
  await page.getByRole('button', { name: 'Send and open next' }).waitFor()
  await until(async () => (await person.own.get('/me')).body.user.settings.work.send_way === 'next')
})

test('goes back to the list after a reply or another change, if the person wants it', chromium, async () => {
  const { page, person, next } = await write()
  await page.goto('/account/inbox')
  await tick(page.getByRole('radio', { name: 'Go back to the list' }))
  await tick(page.getByRole('switch', { name: 'Do the same after other changes' }))
  await until(async () => (await person.own.get('/me')).body.user.settings.work.advances === true)
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.goBack()
  await page.getByRole('textbox', { name: 'Reply' }).waitFor()
  await page.keyboard.press('s')
  await untilReady(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(/inbox\/mine$/)
  await untilIn(page, `document.activeElement.textContent.includes('${next}')`)
})
