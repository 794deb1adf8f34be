import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  chooseTyped,
  holdBack,
  keepToasts,
  listAccessibilityViolations,
  listSmallTargets,
  untilHolds,
} from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** Undoing a change of a ticket: in the toast, by key, and in the history beside the conversation. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

const ask = (subject: string, fields = {}) =>
  makeTicket(dashboard.server.api, { subject, content: `About ${subject}`, ...fields })

interface Ticket {
  id: string
  short_id: string
}

async function openTicket({ short_id }: Ticket, hasTime = true): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 } })
  if (hasTime) await keepToasts(page)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  await page.getByRole('log').getByText('About').waitFor()
  await page.getByRole('complementary', { name: 'Contact' }).waitFor()
  // The key of a part that loads later works only when it has loaded.
  await page.locator('[data-place=ticket]').waitFor({ state: 'attached' })
  return page
}

const ticketOf = async ({ id }: Ticket) => (await dashboard.server.api.get(`/tickets/${id}`)).body
const historyOf = async ({ id }: Ticket) =>
  (await dashboard.server.api.get(`/tickets/${id}/history`)).body.items
const toast = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words)
const changesOf = (page: Page) => page.getByRole('list', { name: 'History' }).getByRole('listitem')

async function setPriority(page: Page, name: string): Promise<void> {
  await page.keyboard.press('p')
  await chooseTyped(page, name, name)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** The message disappears after four seconds, so this waits for it from before the key. */
const undoNothing = (page: Page): Promise<unknown> =>
  Promise.all([page.getByText('Nothing to undo.').waitFor(), page.keyboard.press('z')])

test('Z undoes the latest changes one after another, by keyboard alone', chromium, async () => {
  const ticket = await ask('Undone by key')
  const page = await openTicket(ticket)
  await setPriority(page, 'Urgent')
  await toast(page, `#${ticket.short_id}: Priority: Urgent`).waitFor()
  const closed = page.waitForResponse('**/close')
  await page.keyboard.press('c')
  await closed
  await toast(page, `#${ticket.short_id}: Closed`).waitFor()
  // From before the key, because this message disappears after five seconds.
  await Promise.all([toast(page, 'Change undone').waitFor(), page.keyboard.press('z')])
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
  assert.deepEqual([(await ticketOf(ticket)).status, (await ticketOf(ticket)).closed_at], ['new', null])
  await page.keyboard.press('z')
  await until(async () => (await ticketOf(ticket)).priority === 'normal')
  const [last, before] = await historyOf(ticket)
  assert.ok(last.undoes && before.undoes)
})

test('the toast counts down, offers Undo, and disappears', chromium, async () => {
  const ticket = await ask('Counted')
  const page = await openTicket(ticket, false)
  const { answered, release } = await holdBack(page, 'PATCH', /\/tickets\/[^/]+$/)
  await page.clock.install()
  await setPriority(page, 'High')
  await answered
  // While the clock stands still, the toast stays, however long each look at it takes.
  await page.clock.pauseAt(Date.now() + 60_000)
  release()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const secondsLeft = async () => Number.parseInt(await undo.getByText(/^\d+ s$/).innerText(), 10)
  assert.equal(await secondsLeft(), 10)
  await page.clock.runFor(2_000)
  await until(async () => (await secondsLeft()) === 8)
  await page.clock.resume()
  // Only now, because it takes seconds on a slow machine, in which the toast could disappear.
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.clock.runFor(10_000)
  await undo.waitFor({ state: 'detached' })
  await undoNothing(page)
  assert.equal((await ticketOf(ticket)).priority, 'high')
})

test('Z types a letter in a text field, and the list of keys contains it', chromium, async () => {
  const ticket = await ask('Typed')
  const page = await openTicket(ticket)
  await setPriority(page, 'Low')
  await toast(page, /Priority: Low/).waitFor()
  const key = page.getByRole('button', { name: 'Undo', exact: true }).locator('kbd')
  await key.waitFor()
  await page.keyboard.press('r')
  await key.waitFor({ state: 'detached' })
  await page.keyboard.type('zzz')
  await untilHolds(page.getByRole('textbox', { name: 'Reply', exact: true }), 'zzz')
  assert.equal((await ticketOf(ticket)).priority, 'low')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Undo the last change').waitFor()
})

test('what someone else has changed since stays, and the toast says who changed it', chromium, async () => {
  const ticket = await ask('Kept')
  const page = await openTicket(ticket)
  await setPriority(page, 'Urgent')
  await toast(page, /Priority: Urgent/).waitFor()
  await dashboard.server.api.patch(`/tickets/${ticket.id}`, { priority: 'low' })
  await page.keyboard.press('z')
  await toast(page, /Nothing was undone. Priority stays as it is because .+ has changed it since./).waitFor()
  assert.equal((await ticketOf(ticket)).priority, 'low')
})

test('a change without effect does not offer Undo', chromium, async () => {
  const ticket = await ask('Same', { priority: 'high' })
  const page = await openTicket(ticket)
  await setPriority(page, 'High')
  await undoNothing(page)
  assert.equal((await historyOf(ticket)).length, 1)
})

test(
  'the history shows who changed what, and each change can be undone, by keyboard alone',
  chromium,
  async () => {
    const ticket = await ask('Recorded', { tags: ['old'] })
    await dashboard.server.api.patch(`/tickets/${ticket.id}`, { tags: ['new'], priority: 'urgent' })
    const page = await openTicket(ticket)
    await page.keyboard.press('h')
    const change = changesOf(page).filter({ hasText: 'Priority' })
    await change.getByText('Normal').waitFor()
    for (const words of ['Urgent', 'added new', 'removed old', "Acme's key"])
      await change.getByText(words).first().waitFor()
    await page.getByRole('button', { name: /^Undo: / }).press('Enter')
    await changesOf(page).filter({ hasText: 'Undid a change' }).waitFor()
    await change.getByText('Undone').waitFor()
    const { tags, priority } = await ticketOf(ticket)
    assert.deepEqual([tags, priority], [['old'], 'normal'])
  },
)

test('a change by someone else appears in the open history', chromium, async () => {
  const ticket = await ask('Followed')
  const page = await openTicket(ticket)
  await page.keyboard.press('h')
  await changesOf(page).filter({ hasText: 'Created the ticket' }).waitFor()
  await dashboard.server.api.patch(`/tickets/${ticket.id}`, { subject: 'Followed closely' })
  await changesOf(page).filter({ hasText: 'Followed closely' }).waitFor()
})

for (const [colorScheme, width, dir] of [
  ['light', 390, 'ltr'],
  ['dark', 1440, 'rtl'],
  ['dark', 390, 'rtl'],
] as const) {
  test(`the history and the toast fit at ${width} px, ${colorScheme}, ${dir}`, chromium, async () => {
    const ticket = await ask(`Shown ${unique()}`, { tags: ['a-very-long-tag-of-many-words'.repeat(2)] })
    await dashboard.server.api.patch(`/tickets/${ticket.id}`, { tags: [], subject: 'Cannot pay '.repeat(12) })
    await dashboard.server.db`update ticket_history set is_estimated = true where ticket_id = ${ticket.id}`
    const page = await dashboard.open(olga, {
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await keepToasts(page)
    await page.addInitScript(`localStorage.setItem('deskbell', JSON.stringify({ dir: '${dir}' }))`)
    await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${ticket.short_id}`)
    await page.getByRole('log').getByText('About').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('h')
    await changesOf(page).getByText('Estimated').first().waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    assert.deepEqual(await listSmallTargets(page), [])
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    assert.equal(await page.evaluate(isWide), false)
  })
}
