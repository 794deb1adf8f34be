import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { listAccessibilityViolations, listSmallTargets, lookOf, untilHolds, untilIn } from '../browser.ts'
import { makeDepartment, makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted } from '../editor.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(({ server }) => makeDepartment(server.db, server.acme, 'Billing'))
const { olga } = dashboard

const ask = (subject: string, fields = {}) =>
  makeTicket(dashboard.server.api, { subject, content: `About ${subject}`, ...fields })

async function openInbox(path: string): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/${path}`)
  return page
}

const dialog = (page: Page) => page.getByRole('dialog')
const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

test('ends a text mark when its key is pressed again', chromium, async () => {
  const { short_id } = await ask('Marks')
  const page = await openInbox(`open/${short_id}`)
  await (await untilFormatted(reply(page))).focus()
  for (const key of ['Control+b', 'n', 'o', 'w', 'Control+b', 'Space', 'Control+i', 'Control+i', '!'])
    await page.keyboard.press(key)
  await untilHolds(reply(page), 'now !')
  assert.deepEqual(await reply(page).locator('strong').allTextContents(), ['now'])
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+b')
  await reply(page).locator('strong', { hasText: 'now !' }).waitFor()
})

test('keeps the keyboard position in the list after a ticket has left it', chromium, async () => {
  const word = `place${unique()}`
  for (const name of ['fourth', 'third', 'second', 'first']) await ask(`${word} ${name}`)
  const page = await openInbox(`open?q=${word}`)
  const row = (name: string) => page.getByRole('link', { name: `${word} ${name}` })
  await row('second').click()
  await page.getByRole('heading', { name: `${word} second` }).waitFor()
  await row('second').focus()
  await page.keyboard.press('c')
  await row('second').waitFor({ state: 'detached' })
  await untilIn(page, `document.activeElement.textContent.includes('${word} third')`)
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: `${word} third` }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: `${word} fourth` }).waitFor()
  // The same when no row has the focus.
  await page.getByRole('heading', { name: `${word} fourth` }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await row('fourth').waitFor({ state: 'detached' })
  assert.equal(await focusedText(page), 'Reopen')
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: `${word} third` }).waitFor()
})

test('two presses of J at once move two tickets on', chromium, async () => {
  const word = `quick${unique()}`
  for (const name of ['third', 'second', 'first']) await ask(`${word} ${name}`)
  const page = await openInbox(`open?q=${word}`)
  await page.getByRole('link', { name: `${word} first` }).click()
  await page.getByRole('heading', { name: `${word} first` }).waitFor()
  await page.evaluate(`for (let times = 0; times < 2; times++)
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true }))`)
  await page.getByRole('heading', { name: `${word} third` }).waitFor()
})

/** The field has the focus, and an option is selected for Enter. */
async function untilReady(place: Locator): Promise<void> {
  await place.locator('[data-combobox-selected]').waitFor()
  await place.locator('input:focus').waitFor()
}

test('selects an option for Enter as soon as a choice dialog opens', chromium, async () => {
  const { id, short_id } = await ask('Choices', { contact: { email: `${unique()}@example.com` } })
  const page = await openInbox(`open/${short_id}`)
  await reply(page).waitFor()
  for (const key of ['a', 'f', 's', 'p', 'Shift+P']) {
    await page.keyboard.press(key)
    await untilReady(dialog(page))
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('f')
  await untilReady(dialog(page))
  await page.keyboard.press('Enter')
  await untilReady(page.getByRole('dialog', { name: 'Billing' }))
  const moved = page.waitForResponse('**/transfer')
  await page.keyboard.press('Enter')
  await moved
  const { department_name } = (await dashboard.server.api.get(`/tickets/${id}`)).body
  assert.equal(department_name, 'Billing')
})

test('a key that is pressed while a dialog closes is a key of the page', chromium, async () => {
  const { short_id } = await ask('At once')
  const page = await dashboard.open(olga, { reducedMotion: 'no-preference' })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  await reply(page).waitFor()
  await page.keyboard.press('s')
  await untilReady(dialog(page))
  await page.keyboard.press('Escape')
  await page.keyboard.press('p')
  await untilReady(page.getByRole('dialog', { name: 'Priority' }))
})

test('runs the first entry of the command bar on Enter, even if it was found later', chromium, async () => {
  const word = `bar${unique()}`
  const { short_id } = await ask(`The ${word}`)
  const page = await openInbox('open')
  await page.getByRole('link', { name: word }).waitFor()
  await page.keyboard.press('Control+k')
  await dialog(page).locator('[data-combobox-selected]').waitFor()
  await page.keyboard.type(word)
  await dialog(page).locator('[data-combobox-selected]', { hasText: word }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/inbox/open/${short_id}`)
})

test('does not cut off the focus ring of a field below a dialog title', chromium, async () => {
  const { short_id } = await ask('Ring')
  const page = await openInbox(`open/${short_id}`)
  await reply(page).waitFor()
  for (const key of ['s', 'e']) {
    await page.keyboard.press(key)
    const field = dialog(page).locator('input')
    await field.waitFor()
    const top = (await field.boundingBox())!.y
    const title = (await page.locator('.mantine-Modal-header').boundingBox())!
    // Two pixels of ring and two of offset.
    assert.ok(top - (title.y + title.height) >= 4, key)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
  }
})

test(
  'stops Tab at one message of a conversation, and moves to the others with arrow keys',
  chromium,
  async () => {
    const ticket = await ask('Stops')
    for (const content of ['Two', 'Three']) await makeMessage(dashboard.server.api, ticket.id, { content })
    const page = await openInbox(`open/${ticket.short_id}`)
    await page.getByRole('log').getByText('Three').waitFor()
    const menus = page.getByRole('log').getByRole('button', { name: 'More actions' })
    await untilIn(page, `document.querySelectorAll('[role=log] article').length === 3`)
    assert.deepEqual(await menus.evaluateAll(all => all.map(one => one.tabIndex)), [-1, -1, 0])
    await menus.last().focus()
    await page.keyboard.press('ArrowUp')
    assert.ok(await menus.nth(1).evaluate(one => one.matches(':focus')))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Copy' }).waitFor()
  },
)

test("restores the look of a message's menu button after the menu closes", chromium, async () => {
  const { short_id } = await ask('Menu')
  const page = await openInbox(`open/${short_id}`)
  const menu = page.getByRole('log').getByRole('button', { name: 'More actions' })
  const look = () =>
    Promise.all(['position', 'borderTopWidth', 'width'].map(name => menu.evaluate(lookOf, name)))
  await menu.waitFor({ state: 'attached' })
  const before = await look()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Copy' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: 'Copy' }).waitFor({ state: 'hidden' })
  assert.deepEqual(await look(), before)
})

test(
  'selects a row by a click beside its checkbox, and all targets in a ticket are large enough',
  chromium,
  async () => {
    const subject = `Targets ${unique()}`
    const { id, short_id } = await ask(subject)
    await olga.api.post(`/tickets/${id}/messages`, { content: 'A note', is_internal: true })
    const page = await openInbox(`open/${short_id}`)
    await page.getByRole('log').getByText('A note').waitFor()
    assert.deepEqual(await listSmallTargets(page), [])
    const box = page.getByLabel(`Select ${subject}`)
    // The box is 18 pixels wide, in the middle of a label of 36.
    await page
      .locator('label')
      .filter({ has: box })
      .click({ position: { x: 4, y: 5 } })
    await box.and(page.locator(':checked')).waitFor()
  },
)

test('scrolls a long list of tags with the keyboard', chromium, async () => {
  const tags = Array.from({ length: 40 }, (_, index) => `tag-${String(index).padStart(2, '0')}`)
  const { short_id } = await ask('Tags', { tags })
  const page = await openInbox(`open/${short_id}`)
  await reply(page).waitFor()
  await page.keyboard.press('l')
  await dialog(page).getByRole('option', { name: 'tag-39' }).waitFor()
  await untilReady(dialog(page))
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('ArrowUp')
  await dialog(page).locator('[data-combobox-selected]', { hasText: 'tag-39' }).waitFor()
  await untilIn(
    page,
    `(() => {
      const list = document.querySelector('[role=dialog] [role=listbox]').getBoundingClientRect()
      return document.querySelector('[data-combobox-selected]').getBoundingClientRect().bottom <= list.bottom + 1
    })()`,
  )
})
