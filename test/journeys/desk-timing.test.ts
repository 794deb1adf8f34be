import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, untilDrawn, untilHolds } from '../browser.ts'
import { makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted, wordsIn } from '../editor.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** Typing while something else is loaded, saved or filled in. */

const chromium = needs('chromium')

const dashboard = useDashboard()
const { olga } = dashboard

async function goTo(path: string): Promise<Page> {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Creates an article, and returns the field of its text. */
async function beginArticle() {
  const page = await goTo('settings/knowledge')
  await page.getByRole('button', { name: 'New article' }).first().click()
  await page.getByRole('dialog').getByLabel('Title').fill(`About ${unique()}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const field = page.getByRole('textbox', { name: 'Text', exact: true })
  await field.waitFor()
  return { page, field }
}

const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

test('counts text typed during a save of an article as unsaved', chromium, async () => {
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

test("keeps edits to an article's details when its text is saved", chromium, async () => {
  const { page, field } = await beginArticle()
  const name = page.getByRole('textbox', { name: 'Address', exact: true })
  await name.fill('another-name')
  await field.fill('Only the text')
  await page.keyboard.press('Control+s')
  await isSaved(page)
  await untilDrawn(page)
  assert.equal(await name.inputValue(), 'another-name')
})

test('keeps edits on a page that fails to reload', chromium, async () => {
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
  assert.equal(await name.inputValue(), 'Half a name')
})

/** Chooses a canned answer in a ticket, and holds back the response with its filled text. */
async function chooseCanned() {
  const shortcut = `hi${unique()}`
  await olga.api.post('/canned-answers', { shortcut, title: 'Greeting', content: 'Hello there,' })
  const { short_id } = await makeTicket(dashboard.server.api, { subject: 'Greeted' })
  const page = await goTo(`inbox/open/${short_id}`)
  const field = page.getByRole('textbox', { name: 'Reply' })
  const held = await holdBack(page, 'POST', /\/fill$/)
  // Replacing the text field would end what was remembered about it.
  await untilFormatted(field)
  await field.pressSequentially(`/${shortcut}`)
  await page.getByRole('option', { name: new RegExp(shortcut) }).waitFor()
  await page.keyboard.press('Enter')
  await held.answered
  return { page, field, release: held.release }
}

test('does not insert a canned answer that only matched the letters typed before', chromium, async () => {
  const shortcut = unique()
  await olga.api.post('/canned-answers', { shortcut: `${shortcut}a`, title: 'First', content: 'Wrong' })
  await olga.api.post('/canned-answers', { shortcut: `${shortcut}b`, title: 'Second', content: 'Right' })
  const { short_id } = await makeTicket(dashboard.server.api, { subject: 'Typed fast' })
  const page = await goTo(`inbox/open/${short_id}`)
  const field = await untilFormatted(page.getByRole('textbox', { name: 'Reply' }))
  await field.pressSequentially(`/${shortcut}`)
  await page.getByRole('option', { name: /Second/ }).waitFor()
  await holdBack(page, 'GET', /\/canned-answers\?q=.*b$/)
  await page.keyboard.type('b')
  await page.keyboard.press('Enter')
  await untilHolds(field, 'Right')
})

test('replaces only the shortcut with the canned answer, not the text typed after it', chromium, async () => {
  const { page, field, release } = await chooseCanned()
  await page.keyboard.type(' and more')
  release()
  await untilHolds(field, 'Hello there, and more')
  await page.keyboard.type('!')
  await untilHolds(field, 'Hello there, and more!')
})

test('does not insert a late canned answer into another ticket', chromium, async () => {
  const other = await makeTicket(dashboard.server.api, { subject: 'Of somebody else' })
  const { page, field, release } = await chooseCanned()
  await page.getByRole('listitem').filter({ hasText: other.subject }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: other.subject }).waitFor()
  await field.focus()
  const filled = page.waitForEvent('requestfinished', one => one.url().endsWith('/fill'))
  release()
  await filled
  await untilDrawn(page)
  assert.equal(await wordsIn(field), '')
})

test('does not offer tickets that matched only the previous merge search', chromium, async () => {
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

test('keeps a letter typed while the search is written to the URL', chromium, async () => {
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

test('keeps an unsaved contact note while somebody else changes the contact', chromium, async () => {
  const contact = { email: `${unique()}@example.com`, full_name: 'Ben Roe' }
  const { short_id, contact: of } = await makeTicket(dashboard.server.api, { subject: 'Noted', contact })
  const page = await goTo(`inbox/open/${short_id}`)
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const [name, note] = ['Name', 'Note'].map(label => panel.getByRole('textbox', { name: label }))
  await note!.fill('Pays lat')
  const changed = await olga.api.patch(`/contacts/${of.id}`, { note: 'Calls often', full_name: 'Ben Rowe' })
  assert.equal(changed.status, 200)
  // No event reports this change; the page reloads everything after a lost connection.
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

test('reports contacts that failed to load as an error, not as an empty list', chromium, async () => {
  await makeTicket(dashboard.server.api, {
    contact: { email: `${unique()}@example.com`, full_name: 'Cara Moon' },
  })
  const page = await dashboard.open(olga)
  // With a live stream, the page would reload everything a little later.
  await page.addInitScript('EventSource = class extends EventTarget { close() {} }')
  await page.route(/\/contacts\?/, route => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/p/${dashboard.server.acme.id}/contacts`)
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByText('No contacts yet').count(), 0)
  await page.unroute(/\/contacts\?/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /Cara Moon/ }).waitFor()
})
