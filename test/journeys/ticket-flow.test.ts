import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keepToasts, untilDrawn, untilIn } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { makeChannel, type Program } from '../custom-channel.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

let program: Program
const dashboard = useDashboard(async ({ server, olga }) => {
  program = await makeChannel(olga.api, server.api)
})

const api = () => dashboard.server.api
const read = async (id: string) => (await api().get(`/tickets/${id}`)).body
const ask = (subject: string, fields = {}) =>
  makeTicket(api(), { subject, content: `About ${subject}`, ...fields })

/** A new person for each test, so that settings of one test do not affect another. */
async function open(fields = {}): Promise<{ page: Page; person: Person }> {
  const person = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Ann Lee' })
  const page = await dashboard.open(person, {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  if (Object.keys(fields).length) await person.own.patch('/me', { settings: { work: fields } })
  return { page, person }
}

const go = (page: Page, path: string) => page.goto(`/p/${dashboard.server.acme.id}/inbox/${path}`)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const row = (page: Page, name: string) => page.getByRole('link', { name })
const untilFocused = (page: Page, words: string) =>
  untilIn(page, `document.activeElement.textContent.includes('${words}')`)

/** The field of the dialog has the focus, and an option is selected for Enter. */
async function untilReady(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('[data-combobox-selected]').waitFor()
  await dialog.locator('input:focus').waitFor()
}

/** Creates tickets with these names that are assigned to me. The first one has waited longest. */
async function queue(person: Person, ...names: string[]) {
  const made = []
  for (const name of names) made.push(await ask(name, { operator_id: person.id }))
  return made
}

test('answers ten tickets with at most 30 keys besides the words, without the mouse', chromium, async () => {
  const { page, person } = await open()
  const word = unique()
  const names = Array.from({ length: 10 }, (_, n) => `${word} n${n}.`)
  const tickets = await queue(person, ...names)
  await go(page, 'mine')
  await row(page, names[9]!).waitFor()
  let keys = 0
  const press = (key: string) => {
    keys++
    return page.keyboard.press(key)
  }
  await press('j')
  await press('Enter')
  for (const name of names) {
    await heading(page, name).waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).waitFor()
    await press('r')
    await untilIn(page, `document.activeElement.getAttribute('aria-label') === 'Reply'`)
    await page.keyboard.type(`Answer to ${name}`)
    await press('Control+Shift+Enter')
  }
  for (const [n, { id }] of tickets.entries()) {
    await until(async () => (await api().get(`/tickets/${id}/messages`)).body.items.length === 2)
    const { items } = (await person.api.get(`/tickets/${id}/messages`)).body
    assert.equal(items[1].content, `Answer to ${names[n]}`)
  }
  assert.ok(keys <= 30, `${keys} keys`)
})

test('shows the longest wait first, how long it is, and who wrote last', chromium, async () => {
  const { page, person } = await open()
  const word = unique()
  const [first, second, third] = await queue(person, `${word} one`, `${word} two`, `${word} three`)
  const { db } = dashboard.server
  await db`update ticket_activity set waiting_since = now() - interval '2 hours' where ticket_id = ${first!.id}`
  await person.api.post(`/tickets/${second!.id}/messages`, { content: 'Mine' })
  await person.api.post(`/tickets/${third!.id}/messages`, { content: 'For us', is_internal: true })
  await dashboard.olga.api.post(`/tickets/${first!.id}/messages`, { content: 'Look', is_internal: true })
  await go(page, 'mine')
  await row(page, `${word} one`).getByText('Waiting 2h').waitFor()
  await row(page, `${word} two`).getByText('You: Mine').waitFor()
  await row(page, `${word} three`).getByText('Note: For us').waitFor()
  assert.equal(await row(page, `${word} two`).getByText('Waiting').count(), 0)
  const texts = await page.locator('a[data-ticket]').allTextContents()
  assert.deepEqual(
    texts.map(one => /one|three|two/.exec(one)![0]),
    ['one', 'three', 'two'],
  )
})

/** The inbox of somebody in another project, which has a ticket too. */
async function openRival(): Promise<Page> {
  const { server, open: openWindow } = dashboard
  const rita = await joinProject(server, server.rival, { name: 'Rita', role: 'owner' })
  const { id } = (
    await rita.api.post('/tickets', { contact: { email: 'eve@example.com' }, subject: 'Theirs' })
  ).body
  const rival = await openWindow(rita, { viewport: { width: 1440, height: 900 } })
  await rival.goto(`/p/${server.rival.id}/inbox/all`)
  await rival.locator(`a[data-ticket="${id}"]`).waitFor()
  return rival
}

test('shows in a row who is typing in the ticket, but not to another project', chromium, async () => {
  const { page, person } = await open()
  const rival = await openRival()
  const { short_id, id } = (await queue(person, `seen ${unique()}`))[0]!
  await go(page, 'mine')
  const { page: other } = await open()
  await go(other, `all/${short_id}`)
  const typing = page.locator(`a[data-ticket="${id}"]`).getByText('Ann Lee is typing…')
  // Typing is forgotten after six seconds. Until then, the first page may not be connected.
  await until(async () => {
    await other.getByRole('textbox', { name: 'Reply' }).pressSequentially('Hello')
    return typing.isVisible()
  })
  await untilDrawn(rival)
  assert.equal(await rival.getByText('Ann Lee').count(), 0)
})

test('keeps the order that was chosen for a view in this browser', chromium, async () => {
  const { page, person } = await open()
  const word = unique()
  await queue(person, `${word} old`, `${word} new`)
  await go(page, 'mine')
  const first = page.locator('a[data-ticket]').first()
  await first.getByText(`About ${word} old`).waitFor()
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByLabel('Sort by').selectOption('Newest')
  await first.getByText(`About ${word} new`).waitFor()
  await go(page, 'open')
  await row(page, `${word} new`).waitFor()
  await go(page, 'mine')
  await first.getByText(`About ${word} new`).waitFor()
})

test('opens the next ticket after closing with Shift+C, and undo returns', chromium, async () => {
  const { page, person } = await open()
  await keepToasts(page)
  const word = unique()
  const [first] = await queue(person, `${word} one`, `${word} two`, `${word} three`)
  await go(page, `mine/${first!.short_id}`)
  await heading(page, `${word} one`).waitFor()
  await row(page, `${word} two`).waitFor()
  await page.keyboard.press('Shift+C')
  await heading(page, `${word} two`).waitFor()
  await row(page, `${word} one`).waitFor({ state: 'detached' })
  await untilFocused(page, `${word} two`)
  await until(async () => (await read(first!.id)).status === 'closed')
  await page.getByRole('button', { name: /Undo/ }).waitFor()
  await page.keyboard.press('z')
  await heading(page, `${word} one`).waitFor()
  await until(async () => (await read(first!.id)).status !== 'closed')
})

test('after C, J opens the ticket that followed, wherever the focus was', chromium, async () => {
  const { page, person } = await open()
  const word = unique()
  const [, second] = await queue(person, `${word} one`, `${word} two`, `${word} three`, `${word} four`)
  await go(page, `mine/${second!.short_id}`)
  await heading(page, `${word} two`).waitFor()
  await row(page, `${word} four`).waitFor()
  await page.keyboard.press('c')
  await row(page, `${word} two`).waitFor({ state: 'detached' })
  await untilFocused(page, `${word} three`)
  await page.keyboard.press('j')
  await heading(page, `${word} three`).waitFor()
  await page.keyboard.press('j')
  await heading(page, `${word} four`).waitFor()
})

test(
  'keeps the place when a reply moves the open ticket and events of others move rows',
  chromium,
  async () => {
    const { page, person } = await open()
    const word = unique()
    const made = await queue(person, `${word} one`, `${word} two`, `${word} three`, `${word} four`)
    await go(page, `mine/${made[1]!.short_id}`)
    await heading(page, `${word} two`).waitFor()
    await row(page, `${word} four`).waitFor()
    // The reply ends the wait, so the ticket moves to the end of the list.
    await person.api.post(`/tickets/${made[1]!.id}/messages`, { content: 'Done' })
    await untilIn(
      page,
      `document.querySelector('[data-row="3"]')?.textContent.includes('${word} two') === true`,
    )
    const fresh = (await program.post(unique(), 'New here')).body
    await api().patch(`/tickets/${fresh.ticket_id}`, { operator_id: person.id })
    await page.getByText('New here').first().waitFor()
    await page.keyboard.press('j')
    await heading(page, `${word} three`).waitFor()
    await page.keyboard.press('k')
    await heading(page, `${word} one`).waitFor()
  },
)

test(
  'opens the next ticket after every change that ends the work, if the person wants it',
  chromium,
  async () => {
    const { page, person } = await open({ after_done: 'next', advances: true })
    const word = unique()
    const [first] = await queue(person, `${word} one`, `${word} two`, `${word} three`, `${word} four`)
    await go(page, `mine/${first!.short_id}`)
    await heading(page, `${word} one`).waitFor()
    await row(page, `${word} four`).waitFor()
    await page.keyboard.press('s')
    await untilReady(page)
    await page.keyboard.press('Enter')
    await heading(page, `${word} two`).waitFor()
    // Until then, keys belong to the dialog.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await heading(page, `${word} three`).waitFor()
    await page.keyboard.press('!')
    await heading(page, `${word} four`).waitFor()
    await page.keyboard.press('p')
    await untilReady(page)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // A change that keeps the ticket in the list opens nothing.
    await heading(page, `${word} four`).waitFor()
  },
)
