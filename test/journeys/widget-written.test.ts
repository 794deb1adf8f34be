import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilHolds, untilIn } from '../browser.ts'
import { unique } from '../cast.ts'
import { needs } from '../needs.ts'
import {
  addFile,
  begin,
  call,
  chat,
  field,
  find,
  openChat,
  openShop,
  type Shop,
  sent,
  start,
  uploaded,
  write,
  writeOffline,
} from '../shop.ts'

/** What a visitor has written is not lost, and is sent once. */

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

test('starts a new conversation with a message whose conversation was merged', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  const id = await begin(page, 'Before')
  await writeOffline(page, words)
  const { body: target } = await shop.olga.api.post('/tickets', {
    contact: { email: `${unique()}@example.com` },
  })
  const merged = await shop.olga.api.post(`/tickets/${id}/merge`, { into_ticket_id: target.id, force: true })
  assert.equal(merged.status, 200, merged.text)
  await page.context().setOffline(false)
  await untilIn(page, "Object.keys(localStorage).every(key => key.split(':').length < 3)")
  await chat(page).getByText(words).first().waitFor()
  assert.equal((await find(shop, words)).length, 1)
})

test('keeps a rejected first message for another attempt', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  await page.route(/\/tickets$/, route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { error_code: 'TICKET_LIMIT_REACHED' } })
      : route.fallback(),
  )
  await write(chat(page), words)
  await chat(page).getByText('Not sent').waitFor()
  await chat(page).getByRole('button', { name: 'Back' }).click()
  await page.unroute(/\/tickets$/)
  await start(page).click()
  await chat(page).getByRole('button', { name: 'Try again' }).click()
  await sent(page)
  assert.equal((await find(shop, words)).length, 1)
})

test('keeps text typed in one tab when another tab starts a conversation', chromium, async () => {
  const two = await shop.visit()
  await openChat(two)
  await start(two).click()
  await field(two).fill('In the second')
  const one = await shop.visit({}, two.context())
  const known = two.waitForResponse(answer => answer.url().endsWith('/session'))
  await begin(one, 'In the first')
  await known
  await chat(two).getByRole('button', { name: 'Back' }).click()
  await chat(two).locator('.rows .row').filter({ hasText: 'In the first' }).waitFor()
  await start(two).click()
  await untilHolds(field(two), 'In the second')
})

test('sends a first message once if its response was lost, even from another page', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  await page.route(/\/tickets$/, async route => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  const failed = page.waitForEvent('requestfailed', one => one.method() === 'POST')
  await write(chat(page), words)
  await failed
  await page.unroute(/\/tickets$/)
  await page.goto(`${page.url()}&another=page`)
  await untilIn(page, "Object.keys(localStorage).every(key => key.split(':').length < 3)")
  await openChat(page)
  await chat(page).locator('.rows .row').filter({ hasText: words }).waitFor()
  assert.equal((await find(shop, words)).length, 1)
})

test('keeps a file that could not be uploaded when the text beside it is sent', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  await page.route(/\/files$/, route => route.abort())
  await addFile(page, 'one.txt')
  await chat(page).getByText('Couldn’t upload this file.').waitFor()
  await write(chat(page), 'Without it')
  await sent(page)
  await page.unroute(/\/files$/)
  await chat(page).locator('.upload').getByRole('button', { name: 'Try again' }).click()
  await uploaded(page)
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await chat(page).getByRole('listitem').filter({ hasText: 'one.txt' }).waitFor()
})

test('keeps a draft across a reload and a restart of the chat', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  await field(page).fill('Of the conversation')
  await page.reload()
  await openChat(page)
  await chat(page).locator('.rows .row').filter({ hasText: 'Before' }).click()
  await untilHolds(field(page), 'Of the conversation')
  await call(page, 'destroy')
  await call(page, 'boot', { project: shop.project.id })
  await openChat(page)
  await chat(page).locator('.rows .row').filter({ hasText: 'Before' }).click()
  await untilHolds(field(page), 'Of the conversation')
})

test('does not show a draft after a logout that happened in another tab', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  await chat(page).getByRole('button', { name: 'Back' }).click()
  await start(page).click()
  await field(page).fill('Of the first')
  await page.goto('about:blank')
  const other = await shop.visit({}, page.context())
  await openChat(other)
  await call(other, 'logout')
  await start(other).waitFor()
  await page.goBack()
  await page.bringToFront()
  await openChat(page)
  await start(page).click()
  await untilHolds(field(page), '')
  await write(chat(page), 'Of the next')
  await sent(page)
})
