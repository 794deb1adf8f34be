import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, keepToasts, untilHolds } from '../browser.ts'
import { makeDepartment, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { ask as askInChat, begin, switchOn } from '../widget.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(({ server }) => makeDepartment(server.db, server.acme, 'Billing'))
const { olga } = dashboard

const ask = (subject: string, fields = {}) =>
  makeTicket(dashboard.server.api, { subject, content: `About ${subject}`, ...fields })

async function openInbox(path: string, script = ''): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 } })
  await keepToasts(page)
  if (script) await page.addInitScript(script)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/${path}`)
  return page
}

const ticketOf = async (id: string) => (await dashboard.server.api.get(`/tickets/${id}`)).body
const changed = (page: Page) => page.waitForResponse(answer => answer.request().method() === 'PATCH')
const dialog = (page: Page) => page.getByRole('dialog')

test('changes many tickets at once, and names those that could not be changed', chromium, async () => {
  const { api } = dashboard.server
  const word = `bulk${unique()}`
  const [first, second] = [await ask(`${word} first`), await ask(`${word} second`)]
  for (const { id } of [first, second]) await api.post(`/tickets/${id}/close`)
  const page = await openInbox(`closed?q=${word}`, 'EventSource = class extends EventTarget { close() {} }')
  await page.getByLabel(`Select ${word} first`).check()
  // The toolbar replaces what was above the list, so that the rows move.
  await page.getByRole('toolbar').waitFor()
  await page.getByLabel(`Select ${word} second`).check()
  // Without a live stream, the page does not know that somebody else has reopened it.
  await api.post(`/tickets/${first.id}/reopen`)
  await page.getByRole('toolbar').getByRole('button', { name: 'Reopen' }).click()
  await dialog(page).getByText(`#${first.short_id} ${word} first`).waitFor()
  assert.equal((await ticketOf(second.id)).status, 'open')
})

test('saves a search as a view, and deletes it', chromium, async () => {
  const subject = `View ${unique()}`
  await ask(subject, { priority: 'urgent' })
  await ask('Something else')
  const page = await openInbox('open?priority=urgent')
  await page.getByRole('link', { name: subject }).waitFor()
  await page.getByRole('button', { name: 'Save as view' }).click()
  await dialog(page).getByLabel('Name').fill('Burning')
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Burning/ })
    .waitFor()
  await page.getByRole('list', { name: 'Burning' }).getByRole('link', { name: subject }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Something else' }).count(), 0)
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.waitForURL('**/inbox/open')
  await page.getByRole('link', { name: /^Burning/ }).waitFor({ state: 'detached' })
})

test('merges tickets, undoes a merge, and splits a ticket', chromium, async () => {
  const contact = { email: `${unique()}@example.com` }
  const source = await ask('Source', { contact })
  const into = await ask('Target', { contact })
  const page = await openInbox(`open/${source.short_id}`)
  await page.getByRole('log').getByText('About Source').waitFor()
  await page.keyboard.press('m')
  await dialog(page)
    .getByRole('option', { name: /Target/ })
    .click()
  await page.getByRole('heading', { name: 'Target' }).waitFor()
  await page.getByRole('log').getByText('About Source').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Source' }).waitFor()
  assert.equal((await ticketOf(source.id)).merged_into_id, null)
  // Before the ticket is opened: only a ticket that is known to have several messages can be split.
  await dashboard.server.api.post(`/tickets/${into.id}/messages`, { content: 'Another matter' })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${into.short_id}`)
  await page.getByRole('log').getByText('About Target').waitFor()
  await page.getByRole('log').getByText('Another matter').waitFor()
  await page.keyboard.press('Shift+M')
  await dialog(page)
    .getByRole('checkbox', { name: /Another matter/ })
    .check()
  await dialog(page).getByLabel('Subject').fill('The other matter')
  await dialog(page).getByRole('button', { name: 'Split' }).click()
  await page.getByRole('heading', { name: 'The other matter' }).waitFor()
  await page.getByRole('log').getByText('Another matter').waitFor()
})

test('warns before a merge what chat visitors will no longer see', chromium, async () => {
  const { server } = dashboard
  const prechat_fields = [{ key: 'email', type: 'email', labels: {}, is_required: false }]
  await switchOn(server, server.acme, { prechat_fields })
  const fields = { email: `${unique()}@example.com` }
  const [source, into] = [
    await askInChat(await begin(server), { content: 'From the phone', fields }),
    await askInChat(await begin(server), { content: 'From the desktop', fields }),
  ]
  const page = await openInbox(`open/${source.short_id}`)
  await page.getByRole('log').getByText('From the phone').waitFor()
  await page.keyboard.press('m')
  await dialog(page)
    .getByRole('option', { name: /desktop/ })
    .click()
  await dialog(page).getByText(`the visitor in #${into.short_id} keeps that ticket`).waitFor()
  await dialog(page).getByText(`the visitor in #${source.short_id} loses access to this`).waitFor()
  assert.equal((await ticketOf(source.id)).merged_into_id, null)
  await dialog(page).getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('log').getByText('From the desktop').waitFor()
  await page.getByRole('log').getByText('From the phone').waitFor()
})

test('transfers a ticket to a department, snoozes it and unsnoozes it', chromium, async () => {
  const { id, short_id } = await ask('Travels')
  const page = await openInbox(`open/${short_id}`)
  await page.getByRole('log').getByText('About Travels').waitFor()
  await page.keyboard.press('f')
  await dialog(page).getByRole('option', { name: 'Billing' }).click()
  await dialog(page).getByRole('option', { name: 'Anyone in Billing' }).click()
  const head = page.getByRole('article', { name: 'Travels' }).locator('header')
  await head.getByText('Billing', { exact: true }).waitFor()
  await page.keyboard.press('s')
  const slept = changed(page)
  await dialog(page)
    .getByRole('option', { name: /Tomorrow/ })
    .click()
  await head.getByText(/Snoozed until/).waitFor()
  await slept
  const woken = changed(page)
  await page.keyboard.press('Shift+S')
  await woken
  await head.getByText(/Snoozed until/).waitFor({ state: 'detached' })
  const { status, snoozed_until, department_name } = await ticketOf(id)
  assert.deepEqual([status, snoozed_until, department_name], ['open', null, 'Billing'])
})

async function writeCanned(): Promise<string> {
  const shortcut = `hi${unique()}`
  const content = 'Hello {{contact.first_name|there}},'
  const made = await olga.api.post('/canned-answers', { shortcut, title: 'Greeting', content })
  assert.equal(made.status, 201, made.text)
  // Long enough that it is not the start of another one too.
  return `/${shortcut.slice(0, 12)}`
}

const askAs = (full_name: string) =>
  ask('Canned', { contact: { email: `${unique()}@example.com`, full_name } })

test('inserts a canned answer with its placeholders filled', chromium, async () => {
  const typed = await writeCanned()
  const page = await openInbox(`open/${(await askAs('Ann Lee')).short_id}`)
  const field = await untilFormatted(page.getByRole('textbox', { name: 'Reply' }))
  await field.pressSequentially(typed)
  await page.getByRole('option', { name: /Greeting/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('option').waitFor({ state: 'detached' })
  await untilHolds(field, 'Hello Ann,')
})

test(
  'inserts a canned answer even if the field gets its formatting before the answer arrives',
  chromium,
  async () => {
    const typed = await writeCanned()
    const { short_id } = await askAs('Ben Lee')
    const page = await dashboard.open(olga)
    const formatting = await holdBack(page, 'GET', /\/assets\/rich-text-.*\.js$/)
    const filling = await holdBack(page, 'POST', /\/fill$/)
    await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
    const field = page.getByRole('textbox', { name: 'Reply' })
    await field.pressSequentially(typed)
    await page.getByRole('option', { name: /Greeting/ }).waitFor()
    await page.keyboard.press('Enter')
    await filling.answered
    formatting.release()
    await untilFormatted(field)
    filling.release()
    await untilHolds(field, 'Hello Ben,')
  },
)

test('the list of canned answers stays open when the field gets its formatting', chromium, async () => {
  const typed = await writeCanned()
  const { short_id } = await askAs('Dan Lee')
  const page = await dashboard.open(olga)
  const formatting = await holdBack(page, 'GET', /\/assets\/rich-text-.*\.js$/)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  const field = page.getByRole('textbox', { name: 'Reply' })
  await field.pressSequentially(typed)
  await page.getByRole('option', { name: /Greeting/ }).waitFor()
  formatting.release()
  await untilFormatted(field)
  await page.keyboard.press('Enter')
  await untilHolds(field, 'Hello Dan,')
})

test('what is selected stays selected when the field gets its formatting', chromium, async () => {
  const { short_id } = await askAs('Cem Lee')
  const page = await dashboard.open(olga)
  const formatting = await holdBack(page, 'GET', /\/assets\/rich-text-.*\.js$/)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  const field = page.getByRole('textbox', { name: 'Reply' })
  await field.fill('Keep the first word')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  formatting.release()
  await untilFormatted(field)
  await page.keyboard.type('line')
  await untilHolds(field, 'Keep the first line')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Other')
  await untilHolds(field, 'Other')
})

test('sets a custom status, which the API shows too', chromium, async () => {
  const page = await openInbox('open')
  await page.getByRole('button', { name: 'Olga: You' }).click()
  await page.getByRole('menuitem', { name: 'Custom status' }).click()
  await dialog(page).getByLabel('Status message').fill('Back at three')
  await dialog(page).getByLabel('Emoji').fill('🌴')
  await dialog(page).getByRole('button', { name: 'Set status', exact: true }).click()
  await dialog(page).waitFor({ state: 'hidden' })
  const { items } = (await dashboard.server.api.get('/operators')).body
  const own = items.find((one: { name: string }) => one.name === 'Olga')
  assert.deepEqual([own.status, own.status_text, own.status_emoji], ['custom', 'Back at three', '🌴'])
})
