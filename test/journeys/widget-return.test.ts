import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilIn } from '../browser.ts'
import { listEvents } from '../cast.ts'
import { needs } from '../needs.ts'
import { begin, chat, launcher, openChat, openShop, type Shop, write } from '../shop.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop({ notifies_visitors: true })
})
after(() => shop?.close())

const notices = async (ticketId: string) =>
  (await listEvents(shop.server.db, shop.project)).filter(
    ({ type, data }) => type === 'visitor.reply_waiting' && data.ticket_id === ticketId,
  )

const answer = (ticketId: string, content: string) =>
  shop.olga.api.post(`/tickets/${ticketId}/messages`, { content })

/** The token that the widget script stores for the page. */
const kept = "JSON.parse(localStorage.getItem(Object.keys(localStorage)[0] ?? '') ?? '{}').token ?? null"

/** Waits until the server knows that a visitor is watching the chat. */
const watched = () =>
  until(async () => (await shop.server.db`select from visitor_tabs where is_watching`).count > 0)
const allGone = () => until(async () => (await shop.server.db`select from visitor_tabs`).count === 0)

/** Writes on a page and leaves it; returns the link of the notification. */
async function leaveAndBeCalled(words: string): Promise<{ id: string; open_url: string }> {
  const page = await shop.visit()
  const id = await begin(page, words)
  await page.context().close()
  await allGone()
  await answer(id, `About: ${words}`)
  const [notice] = await notices(id)
  return { id, open_url: notice!.data.open_url }
}

test(
  'notifies a visitor who has left, with a link to their page, but not one who is in the chat',
  chromium,
  async () => {
    const page = await shop.visit()
    const id = await begin(page, 'I am here')
    await watched()
    await answer(id, 'Me too')
    await chat(page).getByText('Me too').first().waitFor()
    assert.deepEqual(await notices(id), [])
    await page.context().close()
    const { open_url } = await leaveAndBeCalled('I will be away')
    assert.ok(open_url.startsWith(`${shop.site}/`), open_url)
  },
)

test('opens the conversation in another browser, and removes the key from the URL', chromium, async () => {
  const { id, open_url } = await leaveAndBeCalled('Call me')
  const page = await shop.browser.newPage()
  await page.goto(open_url)
  const frame = chat(page)
  await frame.getByText('About: Call me').first().waitFor()
  assert.equal(await launcher(page).getAttribute('aria-expanded'), 'true')
  await untilIn(page, "location.hash === ''")
  await write(frame, 'From my phone')
  await frame.getByText('· Sent').waitFor()
  const { items } = (await shop.olga.api.get(`/tickets/${id}/messages`)).body
  assert.equal(items.at(-1).content, 'From my phone')
  assert.equal(await page.evaluate(kept), null)
})

test('the link signs out nobody who is already using the chat', chromium, async () => {
  const { open_url } = await leaveAndBeCalled('A stranger’s')
  const own = await shop.visit()
  await begin(own, 'My own')
  const before = await own.evaluate(kept)
  const page = await own.context().newPage()
  await page.goto(open_url)
  await chat(page).getByText('About: A stranger’s').first().waitFor()
  assert.equal(await page.evaluate(kept), before)
  await page.reload()
  await openChat(page)
  await chat(page)
    .getByRole('button', { name: /My own/ })
    .waitFor()
  assert.equal(await chat(page).getByText('A stranger’s').count(), 0)
})

test('reports an invalid link, and the chat works', chromium, async () => {
  const page = await shop.visit({ hash: '#deskbell-open=nothing' })
  await chat(page).getByText('This link is no longer valid.').waitFor()
  await chat(page).getByRole('button', { name: 'Send us a message' }).waitFor()
})

test('offers the chat on a hosted page that keeps its visitor and cannot be framed', chromium, async () => {
  const page = await shop.browser.newPage()
  const path = `${shop.desk}/chat/${shop.project.id}`
  const shown = await page.goto(path, { waitUntil: 'commit' })
  assert.match(shown!.headers()['content-security-policy']!, /frame-ancestors 'none'/)
  await page.getByRole('button', { name: 'Send us a message' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Without a site')
  await page.keyboard.press('Enter')
  await page.getByText('· Sent').waitFor()
  await page.reload({ waitUntil: 'commit' })
  await page.getByRole('button', { name: /Without a site/ }).click()
  const { items } = (await shop.olga.api.get('/tickets')).body
  await answer(items[0].id, 'Here we are')
  await page.getByText('Here we are').first().waitFor()
  assert.equal(await page.title(), 'Acme')
})

test('opens a conversation on the hosted page by its key', chromium, async () => {
  const page = await shop.browser.newPage()
  await page.goto(`${shop.desk}/chat/${shop.project.id}`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Send us a message' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('By page')
  await page.keyboard.press('Enter')
  await page.getByText('· Sent').waitFor()
  const { items } = (await shop.olga.api.get('/tickets')).body
  await page.close()
  await allGone()
  await answer(items[0].id, 'By page too')
  const [notice] = await notices(items[0].id)
  const { pathname, hash } = new URL(notice!.data.open_url)
  assert.equal(notice!.data.surface, 'page')
  const other = await shop.browser.newPage()
  await other.goto(`${shop.desk}${pathname}${hash}`, { waitUntil: 'commit' })
  await other.getByText('By page too').first().waitFor()
  await untilIn(other, "location.hash === ''")
})
