import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/core/ids.ts'
import { listAccessibilityViolations, untilIn } from '../browser.ts'
import { makeArticle } from '../knowledge.ts'
import { needs } from '../needs.ts'
import { chat, launcher, openChat, openShop, type Shop, write } from '../shop.ts'

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

/** Opens a page of the shop. */
async function goTo(page: Page, path: string): Promise<void> {
  const boot = encodeURIComponent(JSON.stringify({ project: shop.project.id }))
  await page.goto(`${shop.site}${path}?boot=${boot}`)
  await launcher(page).waitFor({ state: 'attached' })
}

const change = async (settings: object): Promise<void> => {
  const answer = await shop.olga.api.patch('/widget', settings)
  assert.equal(answer.status, 200, answer.text)
}

const countTickets = async (): Promise<number> =>
  (await shop.server.db`select from tickets where project_id = ${shop.project.id}`).length

test(
  'two pages of a website show different articles first, and others the popular ones',
  chromium,
  async () => {
    const { server, project } = shop
    const [cart, pay, popular] = await Promise.all(
      ['Cart', 'Paying', 'Popular'].map(title => makeArticle(server.db, project, { title })),
    )
    await server.db`update article_counts set views_count = 9 where article_id = ${popular!.id}`
    await change({
      page_articles: [
        { match: 'contains', address: '/cart', article_ids: [cart!.id] },
        { match: 'begins_with', address: '/pay', article_ids: [pay!.id] },
      ],
    })
    const page = await shop.visit()
    for (const [path, title] of [
      ['/cart', 'Cart'],
      ['/pay/now', 'Paying'],
      ['/', 'Popular'],
    ] as const) {
      await goTo(page, path)
      const frame = await openChat(page)
      await frame.locator('.help .row').first().filter({ hasText: title }).waitFor()
    }
  },
)

const bubble = (page: Page) => page.locator('deskbell-widget .bubble')
const told = (page: Page) => bubble(page).getByRole('button', { name: /Which plan fits/ })

const invite = (more: object = {}) =>
  change({
    proactive_messages: [
      {
        id: newId(),
        match: 'contains',
        address: '/pricing',
        after_seconds: 1,
        repeat_after_days: 7,
        texts: { en: 'Which plan fits?' },
        operator_id: null,
        ...more,
      },
    ],
  })

test(
  'a message invites visitors of its page to write, once, and their answer starts a ticket',
  chromium,
  async () => {
    await invite()
    const page = await shop.visit({ reducedMotion: 'reduce', viewport: { width: 360, height: 640 } })
    await goTo(page, '/pricing')
    await told(page).waitFor()
    // The shop hides its own heading and main part.
    const violations = await listAccessibilityViolations(page)
    assert.deepEqual(
      violations.filter(one => !one.includes('<html')),
      [],
    )
    assert.equal(await bubble(page).getAttribute('aria-live'), 'polite')
    const { x, width } = (await bubble(page).boundingBox())!
    assert.ok(x >= 0 && x + width <= 360)
    assert.equal(await countTickets(), 0)
    await told(page).press('Enter')
    await chat(page).getByText('Which plan fits?').waitFor()
    assert.equal(await countTickets(), 0)
    const made = page.waitForResponse(
      one => one.url().endsWith('/tickets') && one.request().method() === 'POST',
    )
    await write(chat(page), 'The small one?')
    const { id } = (await (await made).json()) as { id: string }
    const { body } = await shop.olga.api.get(`/tickets/${id}/chat-start`)
    assert.equal(body.proactive_text, 'Which plan fits?')
    // Another message, which this visitor has not seen, is not shown while the ticket is open.
    await invite()
    await goTo(page, '/pricing')
    await openChat(page)
    await chat(page).getByText('The small one?').first().waitFor()
    assert.equal(await told(page).count(), 0)
  },
)

test('a message that was dismissed with Escape or its button does not come back', chromium, async () => {
  for (const dismiss of ['Escape', 'button']) {
    await invite()
    const page = await shop.visit()
    await goTo(page, '/pricing')
    await told(page).waitFor()
    if (dismiss === 'Escape') await page.keyboard.press('Escape')
    else await bubble(page).getByRole('button', { name: 'Dismiss message' }).click()
    await told(page).waitFor({ state: 'detached' })
    await goTo(page, '/other')
    await goTo(page, '/pricing')
    await untilIn(page, 'performance.now() > 3_000')
    assert.equal(await told(page).count(), 0, dismiss)
  }
})

test(
  'a message follows pages that change without loading, and disappears when its page is left',
  chromium,
  async () => {
    await invite()
    const page = await shop.visit()
    await page.evaluate("history.pushState(null, '', '/pricing')")
    await told(page).waitFor()
    await page.evaluate("history.pushState(null, '', '/')")
    await told(page).waitFor({ state: 'detached' })
  },
)

test(
  'a reader of the help centre who still needs help writes a ticket that names the article',
  chromium,
  async () => {
    const { server, project, desk, olga, browser } = shop
    const { slug } = await makeArticle(server.db, project, { title: 'How to get a refund' })
    const reader = await browser.newPage({ locale: 'en-GB' })
    await reader.goto(`${desk}/help/acme/en/articles/${slug}`)
    await reader.getByRole('button', { name: 'No', exact: true }).press('Enter')
    await reader.getByText('Thanks for your feedback').waitFor()
    await reader
      .getByRole('region', { name: 'Still need help?' })
      .getByRole('link', { name: 'Chat with us' })
      .press('Enter')
    await reader.getByText('You were reading: How to get a refund').waitFor()
    assert.deepEqual(await listAccessibilityViolations(reader), [])
    const made = reader.waitForResponse(
      one => one.url().endsWith('/tickets') && one.request().method() === 'POST',
    )
    await reader.getByRole('textbox', { name: 'Message' }).fill('Where is my refund?')
    await reader.keyboard.press('Enter')
    const { short_id } = (await (await made).json()) as { short_id: string }
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
    const cookies = [...olga.cookies].map(([name, value]) => ({ name, value, url: desk }))
    await context.addCookies(cookies)
    const page = await context.newPage()
    await page.goto(`${desk}/p/${project.id}/inbox/open/${short_id}`)
    await page.getByText('Article the visitor read:').waitFor()
    await page.getByRole('link', { name: 'How to get a refund' }).press('Enter')
    await page.getByRole('heading', { name: 'How to get a refund', level: 1 }).waitFor()
    await untilIn(page, "location.pathname.includes('/settings/knowledge/')")
  },
)
