import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, untilDrawn, untilHolds } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** What somebody types while something else is read, saved or filled in. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

async function goTo(path: string): Promise<Page> {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** A new article, and the field of its text. */
async function beginArticle() {
  const page = await goTo('settings/knowledge')
  await page.getByRole('button', { name: 'New article' }).first().click()
  await page.getByRole('dialog').getByLabel('Title').fill(`About ${unique()}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const field = page.getByLabel('Text (Markdown)')
  await field.waitFor()
  return { page, field }
}

const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

test('what is typed while an article is being saved counts as not saved', chromium, async () => {
  const { page, field } = await beginArticle()
  const { answered, release } = await holdBack(page, 'PATCH', /\/translations\//)
  await field.fill('One')
  await page.keyboard.press('Control+s')
  await answered
  await field.fill('One and two')
  release()
  await isSaved(page)
  await untilDrawn(page)
  assert.equal(await page.getByText('Unsaved changes').isVisible(), true)
})

test('what is typed into the details of an article outlives a saving of its text', chromium, async () => {
  const { page, field } = await beginArticle()
  const name = page.getByRole('textbox', { name: 'Address', exact: true })
  await name.fill('another-name')
  await field.fill('Only the text')
  await page.keyboard.press('Control+s')
  await isSaved(page)
  await untilDrawn(page)
  assert.equal(await name.inputValue(), 'another-name')
})

test('a page that cannot be read again keeps what is typed into it', chromium, async () => {
  const page = await goTo('settings/project')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Half a name')
  await page.route('**/readyz', route => route.fulfill({ json: {} }))
  await page.route(/\/settings$/, route => route.fulfill({ status: 500, json: {} }))
  const failed = page.waitForResponse(one => one.url().endsWith('/settings') && one.status() === 500)
  await page.context().setOffline(true)
  await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
  await page.context().setOffline(false)
  await failed
  await untilDrawn(page)
  assert.equal(await name.inputValue({ timeout: 1_000 }), 'Half a name')
})

/** A canned answer is chosen in a ticket, and what it is filled with is held back. */
async function chooseCanned() {
  const shortcut = `hi${unique()}`
  await olga.api.post('/canned-answers', { shortcut, title: 'Greeting', content: 'Hello there,' })
  const { short_id } = await makeTicket(dashboard.server.api, { subject: 'Greeted' })
  const page = await goTo(`inbox/open/${short_id}`)
  const field = page.getByRole('textbox', { name: 'Reply' })
  const held = await holdBack(page, 'POST', /\/fill$/)
  await field.pressSequentially(`/${shortcut}`)
  await page.getByRole('option', { name: new RegExp(shortcut) }).waitFor()
  await page.keyboard.press('Enter')
  await held.answered
  return { page, field, release: held.release }
}

test('a canned answer found for fewer letters is not chosen by more of them', chromium, async () => {
  const shortcut = unique()
  await olga.api.post('/canned-answers', { shortcut: `${shortcut}a`, title: 'First', content: 'Wrong' })
  await olga.api.post('/canned-answers', { shortcut: `${shortcut}b`, title: 'Second', content: 'Right' })
  const { short_id } = await makeTicket(dashboard.server.api, { subject: 'Typed fast' })
  const page = await goTo(`inbox/open/${short_id}`)
  const field = page.getByRole('textbox', { name: 'Reply' })
  await field.pressSequentially(`/${shortcut}`)
  await page.getByRole('option', { name: /Second/ }).waitFor()
  await holdBack(page, 'GET', /\/canned-answers\?q=.*b$/)
  await page.keyboard.type('b')
  await page.keyboard.press('Enter')
  await untilHolds(field, 'Right')
})

test('a canned answer takes the place of its word, not of what was typed after it', chromium, async () => {
  const { page, field, release } = await chooseCanned()
  await page.keyboard.type(' and more')
  release()
  await untilHolds(field, 'Hello there, and more')
  await page.keyboard.type('!')
  await untilHolds(field, 'Hello there, and more!')
})

test('a canned answer that comes after its ticket was left is put into no other', chromium, async () => {
  const other = await makeTicket(dashboard.server.api, { subject: 'Of somebody else' })
  const { page, field, release } = await chooseCanned()
  await page.getByRole('listitem').filter({ hasText: other.subject }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: other.subject }).waitFor()
  await field.focus()
  const filled = page.waitForEvent('requestfinished', one => one.url().endsWith('/fill'))
  release()
  await filled
  await untilDrawn(page)
  assert.equal(await field.inputValue(), '')
})

test('a ticket is merged into none that was found for fewer letters', chromium, async () => {
  const word = unique()
  const make = (subject: string) => makeTicket(dashboard.server.api, { subject: `${word} ${subject}` })
  const [source, wrong, right] = [await make('source'), await make('one'), await make('two')]
  const page = await goTo(`inbox/open/${source.short_id}`)
  await page.keyboard.press('m')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.fill(word)
  const offered = (ticket: typeof source) =>
    page.getByRole('option', { name: `#${ticket.short_id} ${ticket.subject}` })
  await offered(wrong).waitFor()
  await offered(right).waitFor()
  await holdBack(page, 'GET', /q=.*two/)
  await field.fill(`${word} two`)
  await offered(wrong).waitFor({ state: 'detached' })
  assert.equal(await offered(right).count(), 1)
})

test('a letter typed while the search goes into the address is not lost', chromium, async () => {
  const page = await goTo('inbox/open')
  const field = page.getByRole('textbox', { name: /^Search this view/ })
  await page.evaluate(`{
    const { replaceState } = history
    history.replaceState = function (...state) {
      replaceState.apply(this, state)
      const field = document.activeElement
      if (field.value !== 'ab') return
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'abc')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
  }`)
  await field.focus()
  await page.keyboard.type('ab')
  await page.waitForURL(/q=abc/)
  assert.equal(await field.inputValue(), 'abc')
})

test('what is typed about a contact stays while somebody else changes it', chromium, async () => {
  const contact = { email: `${unique()}@example.com`, full_name: 'Ben Roe' }
  const { short_id, contact: of } = await makeTicket(dashboard.server.api, { subject: 'Noted', contact })
  const page = await goTo(`inbox/open/${short_id}`)
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const [name, note] = ['Name', 'Note'].map(label => panel.getByRole('textbox', { name: label }))
  await note!.fill('Pays lat')
  const changed = await olga.api.patch(`/contacts/${of.id}`, { note: 'Calls often', full_name: 'Ben Rowe' })
  assert.equal(changed.status, 200)
  // No event tells of it: whoever was away reads everything again.
  await page.route('**/readyz', route => route.fulfill({ json: {} }))
  await page.context().setOffline(true)
  await page.getByText('Can’t reach Deskbell. Trying again…').waitFor()
  await page.context().setOffline(false)
  await untilHolds(name!, 'Ben Rowe')
  await note!.press('e')
  await untilHolds(note!, 'Pays late')
  await name!.focus()
  await until(async () => (await olga.api.get(`/contacts/${of.id}`)).body.note === 'Pays late')
})

test('contacts that cannot be read are not said to be none', chromium, async () => {
  await makeTicket(dashboard.server.api, {
    contact: { email: `${unique()}@example.com`, full_name: 'Cara Moon' },
  })
  const page = await dashboard.open(olga)
  // Whoever listens reads everything again a little later, by itself.
  await page.addInitScript('EventSource = class extends EventTarget { close() {} }')
  await page.route(/\/contacts\?/, route => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/p/${dashboard.server.acme.id}/contacts`)
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByText('No contacts yet').count(), 0)
  await page.unroute(/\/contacts\?/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /Cara Moon/ }).waitFor()
})
