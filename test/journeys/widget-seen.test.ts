import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../cast.ts'
import { needs } from '../needs.ts'
import { begin, chat, launcher, openShop, type Shop } from '../shop.ts'

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

/** The ticket as Olga sees it in the dashboard. */
async function openTicket(id: string) {
  const { short_id } = (await shop.olga.api.get(`/tickets/${id}`)).body
  const context = await shop.browser.newContext({ locale: 'en-GB' })
  const cookies = [...shop.olga.cookies].map(([name, value]) => ({ name, value, url: shop.desk }))
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto(`${shop.desk}/p/${shop.project.id}/inbox/open/${short_id}`)
  return page
}

test('shows visitor and operator without a reload that the other has read', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Did you see this?')
  await chat(page).getByRole('button', { name: 'Close chat' }).click()
  const desk = await openTicket(id)
  await desk.getByText('Did you see this?').first().waitFor()
  await page.locator('deskbell-widget .button').click()
  await chat(page).getByText('· Seen').waitFor()
  const said = await shop.olga.api.post(`/tickets/${id}/messages`, { content: 'Yes, I did' })
  assert.equal(said.status, 201)
  await desk.getByText('Seen', { exact: true }).waitFor()
})

test('a click on the launcher counts, even if its badge changes in between', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Call me')
  await launcher(page).click()
  const badge = launcher(page).locator('.badge')
  await launcher(page).hover()
  await page.mouse.down()
  await shop.olga.api.post(`/tickets/${id}/messages`, { content: 'We do' })
  await badge.getByText('1').waitFor()
  await page.mouse.up()
  await chat(page).getByRole('textbox', { name: 'Message' }).waitFor()
})

test('returns to the list when the open conversation is merged into another', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Asked twice')
  const target = await makeTicket(shop.server.api)
  const merged = await shop.olga.api.post(`/tickets/${id}/merge`, { into_ticket_id: target.id, force: true })
  assert.equal(merged.status, 200, merged.text)
  await chat(page).getByRole('button', { name: 'Send us a message' }).waitFor()
  assert.equal(await chat(page).getByText('Asked twice').count(), 0)
})

test('reports a failed read receipt with the next one, without retrying at once', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'I read you')
  const frame = chat(page)
  let tries = 0
  await page.route('**/read', route => {
    tries += 1
    return route.abort()
  })
  for (const content of ['One', 'Two']) {
    const failed = page.waitForEvent('requestfailed', one => one.url().endsWith('/read'))
    await shop.olga.api.post(`/tickets/${id}/messages`, { content })
    await frame.getByRole('listitem').filter({ hasText: content }).waitFor()
    await failed
  }
  // Each message changes the ticket, and a heartbeat may come in between. A retry loop would make hundreds
  // of requests.
  assert.ok(tries <= 8, `${tries} tries`)
  const said = page.waitForResponse(one => one.url().endsWith('/read'))
  await page.unroute('**/read')
  await frame.getByRole('button', { name: 'Close chat' }).click()
  assert.equal((await said).status(), 204)
})
