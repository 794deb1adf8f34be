import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { holdBack, untilEnded, untilIn } from '../browser.ts'
import { eventsOf } from '../cast.ts'
import { openIdentities, type Someone } from '../identities.ts'
import { needs } from '../needs.ts'
import {
  begin,
  call,
  chat,
  identified,
  launcher,
  openChat,
  openShop,
  receivedEvents,
  type Shop,
  write,
} from '../shop.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

let shop: Shop
let someone: Someone
before(async () => {
  if (chromium.skip) return
  shop = await openShop()
  someone = await openIdentities(shop)
})
after(() => shop?.close())

const kept = "JSON.parse(localStorage.getItem(Object.keys(localStorage)[0] ?? '') ?? '{}').token ?? null"

/** Waits for the start screen of a visitor who has written nothing. */
async function untilEmpty(page: Page): Promise<void> {
  await chat(page).getByRole('button', { name: 'Send us a message' }).waitFor()
  await chat(page).locator('[aria-busy=true]').waitFor({ state: 'detached' })
}

const rows = (page: Page) => chat(page).locator('.rows .row')

test(
  "moves an unknown visitor's conversations to the contact that the page identifies",
  chromium,
  async () => {
    const page = await shop.visit()
    const id = await begin(page, 'Before I sign in')
    const vera = someone()
    const events = await eventsOf(shop.server, async () => {
      await call(page, 'identify', vera)
      await identified(page)
    })
    assert.deepEqual(await receivedEvents(page, 'identified'), [{ is_verified: true }])
    assert.ok(events.some(({ type }) => type === 'contact.identified'))
    const { contact_id } = (await shop.olga.api.get(`/tickets/${id}`)).body
    const contact = (await shop.olga.api.get(`/contacts/${contact_id}`)).body
    assert.deepEqual([contact.external_id, contact.email], [vera.user.id, vera.user.email])
    await chat(page).getByText('Before I sign in').first().waitFor()
  },
)

test(
  'shows an identified person the same conversations in another browser, and nobody else',
  chromium,
  async () => {
    const vera = someone()
    const page = await shop.visit({ boot: vera })
    const id = await begin(page, 'I am Vera')
    await shop.olga.api.post(`/tickets/${id}/messages`, { content: 'Hello Vera' })
    const phone = await shop.visit({ boot: vera, viewport: { width: 390, height: 800 } })
    await openChat(phone)
    await rows(phone).filter({ hasText: 'I am Vera' }).click()
    await chat(phone).getByText('Hello Vera').first().waitFor()
    const other = await shop.visit({ boot: someone() })
    await openChat(other)
    await identified(other)
    await untilEmpty(other)
    assert.equal(await chat(other).getByText('I am Vera').count(), 0)
  },
)

test('shows the next person at a device nothing from before the logout', chromium, async () => {
  const page = await shop.visit({ boot: someone() })
  await begin(page, 'My secret')
  const before = await page.evaluate(kept)
  await call(page, 'logout')
  await untilEmpty(page)
  assert.equal(await chat(page).getByText('My secret').count(), 0)
  assert.equal(await page.evaluate(kept), null)
  const session = `${shop.desk}/api/widget/projects/${shop.project.id}/session`
  const headers = { authorization: `Bearer ${before}` }
  await until(async () => (await page.request.get(session, { headers })).status() === 401)
  await call(page, 'identify', someone())
  await untilIn(page, "receivedEvents.filter(([name]) => name === 'identified').length === 2")
  assert.equal(await chat(page).getByText('My secret').count(), 0)
  assert.notEqual(await page.evaluate(kept), before)
})

test('shows another identified person nothing of the one whose token was stored', chromium, async () => {
  const page = await shop.visit({ boot: someone() })
  await begin(page, 'Mine alone')
  const next = await shop.visit({ boot: someone() }, page.context())
  await openChat(next)
  await identified(next)
  await untilEmpty(next)
  assert.equal(await chat(next).getByText('Mine alone').count(), 0)
})

test('a wrong signature leaves nobody signed in', chromium, async () => {
  const vera = someone()
  const page = await shop.visit({ boot: vera })
  await begin(page, 'Only for Vera')
  const next = await shop.visit({ boot: { ...vera, signature: '0'.repeat(64) } }, page.context())
  await untilIn(next, "receivedEvents.some(([name]) => name === 'error')")
  assert.deepEqual(await receivedEvents(next, 'error'), [{ code: 'SIGNATURE_INVALID' }])
  await openChat(next)
  await chat(next).getByRole('button', { name: 'Send us a message' }).waitFor()
  assert.equal(await next.evaluate(kept), null)
})

test('accepts clicks and typing in a chat that was loaded before it was opened', chromium, async () => {
  const page = await shop.visit({ boot: someone() })
  await chat(page).locator('h1').waitFor({ state: 'attached' })
  await begin(page, 'Now I write')
})

test('treats two tabs as one visitor, and logs out both', chromium, async () => {
  const one = await shop.visit()
  await begin(one, 'In both')
  const two = await shop.visit({}, one.context())
  await openChat(two)
  await rows(two).filter({ hasText: 'In both' }).click()
  await write(chat(two), 'From the second')
  await one.bringToFront()
  await chat(one).getByText('From the second').first().waitFor()
  await call(one, 'logout')
  await untilEmpty(two)
  assert.equal(await chat(two).getByText('In both').count(), 0)
})

for (const [what, method, path] of [
  ['a conversation', 'GET', /\/tickets\/[^/]+$/],
  ['a new conversation', 'POST', /\/tickets$/],
] as const)
  test(`does not show ${what} that arrives after the logout to the next person`, chromium, async () => {
    const page = await shop.visit()
    if (method === 'GET') await begin(page, 'Mine alone')
    else await (await openChat(page)).getByRole('button', { name: 'Send us a message' }).click()
    const { answered, release } = await holdBack(page, method, path)
    await write(chat(page), 'And this')
    await answered
    const late = untilEnded(page, one => one.method() === method && path.test(one.url()))
    await call(page, 'logout')
    await chat(page).getByRole('button', { name: 'Send us a message' }).waitFor()
    release()
    await late
    await page.unroute(path)
    await chat(page).getByRole('button', { name: 'Send us a message' }).click()
    await write(chat(page), 'Of the next')
    await chat(page).getByText('· Sent').waitFor()
    await chat(page).getByRole('button', { name: 'Back' }).click()
    await rows(page).filter({ hasText: 'Of the next' }).waitFor()
    assert.equal(await rows(page).count(), 1)
  })

test('a logout discards the result of an identification that was still running', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  const { answered, release } = await holdBack(page, 'POST', /\/identify$/)
  await call(page, 'identify', someone())
  await answered
  await call(page, 'logout')
  const late = page.waitForEvent('requestfinished', one => one.url().endsWith('/identify'))
  release()
  await late
  await page.unroute(/\/identify$/)
  const vera = someone()
  await call(page, 'identify', vera)
  await identified(page)
  await call(page, 'close')
  const id = await begin(page, 'I am the second')
  assert.equal((await receivedEvents(page, 'identified')).length, 1)
  const { contact_id } = (await shop.olga.api.get(`/tickets/${id}`)).body
  assert.equal((await shop.olga.api.get(`/contacts/${contact_id}`)).body.external_id, vera.user.id)
})

test(
  'attributes a message to the identified person although the server has not answered yet',
  chromium,
  async () => {
    const page = await shop.visit()
    await openChat(page)
    const { answered, release } = await holdBack(page, 'POST', /\/identify$/)
    const vera = someone()
    await call(page, 'identify', vera)
    await answered
    await chat(page).getByRole('button', { name: 'Send us a message' }).click()
    await write(chat(page), 'Quicker than the server')
    await chat(page).getByText('Sending').waitFor()
    release()
    await chat(page).getByText('· Sent').waitFor()
    const { body } = await shop.olga.api.get('/tickets')
    const contact = (await shop.olga.api.get(`/contacts/${body.items[0].contact_id}`)).body
    assert.equal(contact.external_id, vera.user.id)
  },
)

test('keeps the chat when the page replaces its body, and removes it on destroy', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Stay')
  await call(page, 'boot', { project: shop.project.id })
  assert.equal(await chat(page).getByText('Stay').first().isVisible(), true)
  await page.evaluate("document.body.replaceWith(document.createElement('body'))")
  assert.equal(await chat(page).getByText('Stay').first().isVisible(), true)
  await call(page, 'destroy')
  assert.equal(await page.locator('deskbell-widget').count(), 0)
  await call(page, 'boot', { project: shop.project.id, position: 'left' })
  await launcher(page).waitFor()
  assert.ok((await launcher(page).boundingBox())!.x < 100)
  await openChat(page)
  await rows(page).filter({ hasText: 'Stay' }).waitFor()
  assert.equal(await page.locator('deskbell-widget').count(), 1)
})

test(
  'opens, uses and closes the chat by keyboard, and returns the focus to the launcher',
  chromium,
  async () => {
    const page = await shop.visit()
    await launcher(page).focus()
    await page.keyboard.press('Enter')
    assert.equal(await launcher(page).getAttribute('aria-expanded'), 'true')
    const frame = chat(page)
    await frame.locator('h1:focus').waitFor()
    await frame.getByRole('button', { name: 'Send us a message' }).press('Enter')
    await frame.locator('textarea:focus').waitFor()
    await frame.getByRole('button', { name: 'Insert an emoji' }).press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    assert.equal(await frame.getByRole('textbox', { name: 'Message' }).inputValue(), '😄')
    await page.keyboard.press('Escape')
    await frame.locator('main').waitFor({ state: 'hidden' })
    assert.equal(await launcher(page).getAttribute('aria-expanded'), 'false')
    assert.equal(
      await page.evaluate("document.activeElement.shadowRoot?.activeElement?.className ?? ''"),
      'button',
    )
  },
)
