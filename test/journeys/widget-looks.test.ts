import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { makeMessage } from '../cast.ts'
import { makeArticle } from '../knowledge.ts'
import { needs } from '../needs.ts'
import { chat, launcher, openChat, openShop, type Shop, write } from '../shop.ts'

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (chromium.skip) return
  shop = await openShop({
    prechat_fields: [
      { key: 'name', type: 'text', labels: { en: 'Your name' }, is_required: false },
      { key: 'email', type: 'email', labels: { en: 'E-mail' }, is_required: true },
    ],
  })
  await makeArticle(shop.server.db, shop.project)
})
after(() => shop?.close())

async function hasNoBarrier(page: Page, what: string): Promise<void> {
  const frame = page.frames().find(one => one.url().includes('/widget/frame/'))!
  assert.deepEqual(await listAccessibilityViolations(frame), [], what)
  const { scrollWidth, clientWidth } = await frame.evaluate<{ scrollWidth: number; clientWidth: number }>(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: innerWidth })',
  )
  assert.ok(scrollWidth <= clientWidth, `${what} is wider than its frame`)
}

/** Goes through every screen that a visitor can see. */
async function visitScreens(page: Page): Promise<void> {
  const frame = await openChat(page)
  await frame.locator('.help .row').waitFor()
  await hasNoBarrier(page, 'home')
  await frame.locator('.help .row').click()
  await frame.locator('.prose').waitFor()
  await hasNoBarrier(page, 'article')
  await frame.locator('.bar .tap').first().click()
  await frame.locator('.start').click()
  await frame.locator('.details .main').click()
  await frame.locator('.details .problem').waitFor()
  await hasNoBarrier(page, 'details')
  await frame.getByLabel(/E-mail/).fill('vera@example.com')
  await frame.locator('.details .main').click()
  const made = page.waitForResponse(
    one => one.url().endsWith('/tickets') && one.request().method() === 'POST',
  )
  await frame.locator('.composer textarea').fill('verylongword'.repeat(20))
  await frame.locator('.send').click()
  const { id } = (await (await made).json()) as { id: string }
  const content = '| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n`code` [link](https://example.com)'
  const message = await makeMessage(shop.server.api, id, { content, content_format: 'markdown' })
  await shop.olga.api.put(`/messages/${message.id}/reactions/${encodeURIComponent('🎉')}`)
  await frame.locator('.reactions').waitFor()
  await shop.olga.api.post(`/tickets/${id}/close`, {})
  await frame.locator('.rating').waitFor()
  await hasNoBarrier(page, 'conversation')
  await frame.locator('.composer .popup .tap').click()
  await frame.locator('.composer .popup-content').waitFor()
  await hasNoBarrier(page, 'emoji')
}

for (const [name, locale, colorScheme, width] of [
  ['light', 'en', 'light', 1280],
  ['dark', 'de', 'dark', 1280],
  ['right to left', 'ar', 'light', 1280],
  ['on a phone, dark', 'ru', 'dark', 360],
  ['on a phone, right to left', 'he', 'light', 360],
] as const) {
  test(`the chat has no accessibility violations: ${name}`, chromium, async () => {
    const viewport = { width, height: 800 }
    const page = await shop.visit({ boot: { locale }, colorScheme, viewport, reducedMotion: 'reduce' })
    await visitScreens(page)
    // This style hides the page's own heading.
    await page.evaluate('document.styleSheets[0].disabled = true')
    assert.deepEqual(await listAccessibilityViolations(page), [])
  })
}

test('fills the screen of a phone with the chat, and hides the launcher', chromium, async () => {
  const viewport = { width: 390, height: 800 }
  const page = await shop.visit({ viewport, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  await openChat(page)
  const box = await page.locator('deskbell-widget .panel').boundingBox()
  assert.deepEqual(box, { x: 0, y: 0, ...viewport })
  assert.equal(await launcher(page).isVisible(), false)
  await chat(page).getByRole('button', { name: 'Close chat' }).click()
  await launcher(page).waitFor()
})

for (const locale of ['en', 'ar'])
  test(`does not cut off the reaction bar beside the shortest message: ${locale}`, chromium, async () => {
    const page = await shop.visit({ boot: { locale }, reducedMotion: 'reduce' })
    const frame = await openChat(page)
    await frame.locator('.start').click()
    await frame.getByLabel(/E-mail/).fill('vera@example.com')
    await frame.locator('.details .main').click()
    const made = page.waitForResponse(
      one => one.url().endsWith('/tickets') && one.request().method() === 'POST',
    )
    await frame.locator('.composer textarea').fill('a')
    await frame.locator('.send').click()
    const { id } = (await (await made).json()) as { id: string }
    await makeMessage(shop.server.api, id, { content: 'b' })
    for (const side of ['.is-mine', '.is-theirs']) {
      const line = frame.locator(`.line${side}`)
      await line.locator('.actions .tap').first().click()
      const log = (await frame.locator('.log').boundingBox())!
      const bar = (await line.locator('.popup-content').boundingBox())!
      assert.ok(
        bar.x >= log.x && bar.x + bar.width <= log.x + log.width,
        `${side} ${JSON.stringify([bar, log])}`,
      )
      assert.ok(bar.y >= log.y, `${side} ${JSON.stringify([bar, log])}`)
      await page.keyboard.press('Escape')
    }
  })

test("shows the launcher with the project's settings before the chat is opened", chromium, async () => {
  const context = await shop.browser.newContext({ locale: 'ar' })
  const texts = { en: { launcher: 'Ask us!' } }
  const before = (await shop.olga.api.get('/widget')).body
  await shop.olga.api.patch('/widget', { color: '#aa0000', position: 'left', texts })
  const page = await shop.visit({}, context)
  await launcher(page).getByText('Ask us!').waitFor()
  assert.ok((await launcher(page).boundingBox())!.x < 100)
  await page.locator('deskbell-widget iframe').waitFor({ state: 'detached' })
  await shop.olga.api.patch('/widget', { color: null, position: before.position, texts: before.texts })
})

test('sets English texts from left to right in a right-to-left chat', chromium, async () => {
  const page = await shop.visit({ boot: { locale: 'ar' } })
  const texts = {
    en: { title: 'Hello!', welcome: 'How can we help?', prechat: 'Who are you?', launcher: 'Ask us!' },
  }
  await shop.olga.api.patch('/widget', { texts })
  await page.reload()
  const frame = await openChat(page)
  await frame.locator('.hero h1:dir(ltr)').waitFor()
  await frame.locator('.hero p:dir(ltr)').waitFor()
  await frame.locator('.start').click()
  await frame.locator('.details h2:dir(ltr)').waitFor()
  await frame.locator('.details label bdi:dir(ltr)').first().waitFor()
  await shop.olga.api.patch('/widget', { texts: {} })
})

test(
  'does not ask again for details that a visitor has given, in this tab and after a reload',
  chromium,
  async () => {
    const page = await shop.visit()
    const frame = await openChat(page)
    await frame.locator('.start').click()
    await frame.getByLabel('E-mail').fill('vera@example.com')
    await frame.getByRole('button', { name: 'Start conversation' }).click()
    await frame.locator('.composer textarea:focus').waitFor()
    await write(frame, 'Hello')
    await frame.getByText('· Sent').waitFor()
    await page.reload()
    await openChat(page)
    await frame.locator('.rows .row').first().waitFor()
    await frame.locator('.start').click()
    await write(frame, 'And another thing')
    await frame.getByText('· Sent').waitFor()
    assert.equal(await frame.locator('.details').count(), 0)
  },
)

test('validates the pre-chat fields, and saves them with the contact', chromium, async () => {
  const page = await shop.visit()
  const frame = await openChat(page)
  await frame.getByRole('button', { name: 'Send us a message' }).click()
  await frame.getByLabel('E-mail').fill('vera')
  await frame.getByRole('button', { name: 'Start conversation' }).click()
  await frame.getByText('Enter an email address').waitFor()
  await frame.getByLabel('E-mail').fill('vera@example.com')
  await frame.getByRole('button', { name: 'Start conversation' }).click()
  await write(frame, 'Hello')
  await frame.getByText('· Sent').waitFor()
  const { items } = (await shop.olga.api.get('/tickets')).body
  const contact = (await shop.olga.api.get(`/contacts/${items[0].contact_id}`)).body
  assert.equal(contact.email, 'vera@example.com')
})
