import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, pressItem } from '../browser.ts'
import { makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

async function open(path: string, options = {}): Promise<Page> {
  const page = await dashboard.open(olga, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  await page.goto(`/p/${dashboard.server.acme.id}${path}`)
  return page
}

/** A closed ticket with the word in its first message, and another message after it. */
async function makeOld(word: string): Promise<void> {
  const { api } = dashboard.server
  const { id } = await makeTicket(api, {
    subject: 'Kettle',
    content: `${'It boiled and '.repeat(30)}the “${word}” broke`,
  })
  await makeMessage(api, id, { content: 'Thank you' })
  await api.post(`/tickets/${id}/close`, {})
}

test(
  'extends a search without results to all tickets by keyboard, and highlights the words in the row',
  chromium,
  async () => {
    const word = `w${unique()}`
    await makeOld(word)
    const page = await open('/inbox/open')
    await page.getByRole('textbox', { name: /Search this view/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(word)
    await page.getByRole('heading', { name: `No results for “${word}”` }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    const everywhere = page.getByRole('button', { name: 'Search all tickets' }).and(page.locator(':focus'))
    while ((await everywhere.count()) === 0) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const row = page.getByRole('link', { name: /Kettle/ })
    await row.locator('mark', { hasText: word }).waitFor()
    assert.match(await row.innerText(), /… .*boiled and the “w/)
    assert.match(page.url(), /\/inbox\/all\?q=/)
    assert.equal(await page.getByRole('button', { name: 'Search all tickets' }).count(), 0)
    const [box, mark] = [await row.boundingBox(), await row.locator('mark').boundingBox()]
    assert.ok(mark!.x + mark!.width <= box!.x + box!.width, 'the mark is within the row')
    assert.deepEqual(await listAccessibilityViolations(page), [])
  },
)

test('a search for a customer’s name offers to search the names, by keyboard alone', chromium, async () => {
  const name = `Wilma W${unique()}`
  const { id } = await makeTicket(dashboard.server.api, {
    subject: 'Lost parcel',
    content: 'Hello',
    contact: { full_name: name, email: `${unique()}@example.com` },
  })
  await dashboard.server.api.post(`/tickets/${id}/close`, {})
  const page = await open('/inbox/open')
  await page.getByRole('textbox', { name: /Search this view/ }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  const button = page.getByRole('button', { name: `Search contacts for “${name}”` })
  await button.waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  while ((await button.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Lost parcel/ }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: /Search/ }).inputValue(), `from:"${name}"`)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/all?q=from%3A%22nobody+${unique()}%22`)
  await page.getByRole('heading', { name: /No results/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Search contacts/ }).count(), 0)
})

test('searches all tickets from the command bar', chromium, async () => {
  const word = `w${unique()}`
  await makeOld(word)
  const page = await open('/inbox/open')
  await page.getByRole('textbox', { name: /Search this view/ }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(word)
  await page.locator('[data-command-field]:focus').waitFor()
  const entry = page.getByRole('option', { name: 'Search all tickets' })
  await entry.waitFor()
  // By keyboard, because results that arrive would move it away from the mouse.
  while ((await entry.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page
    .getByRole('link', { name: /Kettle/ })
    .locator('mark', { hasText: word })
    .waitFor()
})

test('highlights a match in the subject, in dark colours', chromium, async () => {
  const word = `w${unique()}`
  await makeTicket(dashboard.server.api, { subject: `Lamp ${word}`, content: 'Hello' })
  const page = await open(`/inbox/all?q=${word}`, { colorScheme: 'dark' })
  const mark = page.getByRole('link', { name: /Lamp/ }).locator('mark')
  await mark.waitFor()
  assert.equal(await mark.innerText(), word)
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test(
  'lists the search operators in a menu, and lets the person type on after choosing one',
  chromium,
  async () => {
    const page = await open('/inbox/open')
    const field = page.getByRole('textbox', { name: /Search this view/ })
    await field.waitFor()
    await page.getByRole('button', { name: 'Search operators' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'tag:' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await pressItem(page.getByRole('menuitem', { name: 'tag:' }))
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('vip')
    assert.equal(await field.inputValue(), 'tag:vip')
    await page.waitForURL(/q=tag/)
  },
)

test('opens a found ticket at the matching message, even if it is old', chromium, async () => {
  const word = `w${unique()}`
  const { api } = dashboard.server
  const { id } = await makeTicket(api, { subject: 'Toaster', content: 'Hello' })
  await makeMessage(api, id, { content: `The ${word} smokes` })
  for (let n = 0; n < 60; n++) await makeMessage(api, id, { content: `Line ${n}\n`.repeat(4) })
  const page = await open(`/inbox/open?q=${word}`)
  await page.getByRole('link', { name: /Toaster/ }).click()
  const message = page.locator('[data-found]', { hasText: `The ${word} smokes` })
  await message.waitFor()
  const [shown, pane] = [
    await message.boundingBox(),
    await page.getByRole('region', { name: 'Conversation' }).boundingBox(),
  ]
  assert.ok(
    shown!.y >= pane!.y && shown!.y + shown!.height <= pane!.y + pane!.height,
    'the message is visible',
  )
  assert.deepEqual(await listAccessibilityViolations(page), [])
})
