import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { holdBack, untilHolds } from '../browser.ts'
import { openIdentities } from '../identities.ts'
import { needs } from '../needs.ts'
import { begin, call, chat, openChat, openShop, receivedEvents, type Shop, write } from '../shop.ts'
import { until } from '../until.ts'

/** Late responses, and visitors who do not wait for them. */

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

const rows = (page: Page) => chat(page).locator('.rows .row')
const field = (page: Page) => chat(page).getByRole('textbox', { name: 'Message' })
const start = (page: Page) => chat(page).getByRole('button', { name: 'Send us a message' })
const press = (page: Page, name: string) => chat(page).getByRole('button', { name, exact: true }).click()

/** The texts of a ticket's messages, the newest first. */
async function wordsOf(id: string): Promise<string[]> {
  const { items } = (await shop.olga.api.get(`/tickets/${id}/messages`)).body
  const spoken = items.filter(({ sender_type }: { sender_type: string }) => sender_type !== 'system')
  return spoken.map(({ content }: { content: string }) => content)
}

const theFrame = /\/widget\/frame\//

/** Reloads the page with its stored token, and holds back a response: by default the session's. */
async function comeBack(page: Page, path = /\/session$/) {
  const held = await holdBack(page, 'GET', path)
  await page.reload()
  await held.answered
  return held
}

test('shows a conversation that the page opens while the chat is starting', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Show me this')
  const { release } = await comeBack(page)
  await call(page, 'open', id)
  release()
  await field(page).waitFor()
  await chat(page).getByText('Show me this').first().waitFor()
})

test('connects the live stream as soon as the chat opens, without a delay', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Is anybody there')
  const isStream = (one: Response) => one.url().includes('/stream?')
  await page.route(/\/stream\?/, route => route.fulfill({ status: 503, headers: { 'retry-after': '60' } }))
  await Promise.all([page.waitForResponse(isStream), page.reload()])
  await page.unroute(/\/stream\?/)
  let isHeard = false
  page.on('response', one => (isHeard ||= isStream(one) && one.ok()))
  // At the first attempt it may not have started to wait yet.
  await until(async () => {
    for (const verb of ['open', 'close']) await call(page, verb)
    return isHeard
  })
})

test("the page does not wait for the chat's frame before the chat is opened", chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'I come back')
  const { release } = await comeBack(page, theFrame)
  release()
  await openChat(page)
  await rows(page).filter({ hasText: 'I come back' }).waitFor()
})

for (const [when, path] of [
  ['before the chat has loaded', theFrame],
  ['while the chat is starting', undefined],
] as const)
  test(`a logout ${when} ends the session`, chromium, async () => {
    const page = await shop.visit()
    await begin(page, 'Not for the next')
    const { release } = await comeBack(page, path)
    const ended = page.waitForResponse(
      one => one.request().method() === 'DELETE' && one.url().endsWith('/session'),
    )
    await call(page, 'logout')
    release()
    assert.equal((await ended).status(), 204)
    await openChat(page)
    await start(page).waitFor()
    assert.equal(await rows(page).count(), 0)
  })

test('attributes a message to the known visitor while the session is loading', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  const { release } = await comeBack(page)
  const made: string[] = []
  page.on('request', one => one.url().endsWith('/visitors') && made.push(one.url()))
  await openChat(page)
  await chat(page).locator('.start').click()
  await write(chat(page), 'After')
  await chat(page).getByText('Sending').waitFor()
  release()
  await chat(page).getByText('· Sent').waitFor()
  await press(page, 'Back')
  await rows(page).filter({ hasText: 'Before' }).waitFor()
  await rows(page).filter({ hasText: 'After' }).waitFor()
  assert.deepEqual(made, [])
})

test('attributes a message written during an identification to that person', chromium, async () => {
  const vera = (await openIdentities(shop))()
  const page = await shop.visit()
  await openChat(page)
  const { answered, release } = await holdBack(page, 'POST', /\/identify$/)
  await call(page, 'identify', vera)
  await answered
  await start(page).click()
  const sent = page.waitForResponse(one => /\/tickets$/.test(one.url()) && one.request().method() === 'POST')
  await write(chat(page), 'It is me')
  await chat(page).getByText('Sending').waitFor()
  release()
  const ticket = (await (await sent).json()) as { id: string }
  const { contact_id } = (await shop.olga.api.get(`/tickets/${ticket.id}`)).body
  assert.equal((await shop.olga.api.get(`/contacts/${contact_id}`)).body.external_id, vera.user.id)
})

test('attributes a message to the person identified while the server was unreachable', chromium, async () => {
  const vera = (await openIdentities(shop))()
  const page = await shop.visit()
  await openChat(page)
  let left = 2
  await page.route(/\/identify$/, route =>
    route.request().method() === 'POST' && left-- > 0 ? route.abort() : route.fallback(),
  )
  const made: string[] = []
  page.on('request', one => one.url().endsWith('/visitors') && made.push(one.url()))
  await call(page, 'identify', vera)
  await start(page).click()
  const sent = page.waitForResponse(one => /\/tickets$/.test(one.url()) && one.request().method() === 'POST')
  await write(chat(page), 'It is me, too')
  const ticket = (await (await sent).json()) as { id: string }
  const { contact_id } = (await shop.olga.api.get(`/tickets/${ticket.id}`)).body
  assert.equal((await shop.olga.api.get(`/contacts/${contact_id}`)).body.external_id, vera.user.id)
  assert.deepEqual(made, [])
  assert.deepEqual(await receivedEvents(page, 'error'), [{ code: 'UNREACHABLE' }])
})

test('sends a second message to the same conversation while the first is loading', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  const { answered, release } = await holdBack(page, 'GET', /\/messages\?limit/)
  const made = page.waitForResponse(one => /\/tickets$/.test(one.url()) && one.request().method() === 'POST')
  await write(chat(page), 'One')
  const { id } = (await (await made).json()) as { id: string }
  await answered
  await write(chat(page), 'Two')
  release()
  await chat(page).getByText('· Sent').waitFor()
  await chat(page).getByText('Sending').waitFor({ state: 'detached' })
  assert.deepEqual((await wordsOf(id)).toSorted(), ['One', 'Two'])
})

test('starts the conversation with the next message if the first was discarded', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  const held = Promise.withResolvers<void>()
  let posts = 0
  await page.route(/\/tickets$/, async route => {
    if (route.request().method() !== 'POST' || posts++ > 0) return route.fallback()
    await held.promise
    await route.fulfill({ status: 422, json: { error_code: 'VALIDATION_ERROR' } })
  })
  await write(chat(page), 'Refused')
  await write(chat(page), 'Taken')
  held.resolve()
  await press(page, 'Remove')
  await chat(page).getByText('· Sent').waitFor()
  assert.equal(await chat(page).getByRole('listitem').filter({ hasText: 'Taken' }).count(), 1)
})

test('keeps text typed below a first message while the visitor looks elsewhere', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  const { answered, release } = await holdBack(page, 'POST', /\/tickets$/)
  await write(chat(page), 'Begun')
  await answered
  await field(page).fill('And more')
  await press(page, 'Back')
  release()
  await rows(page).filter({ hasText: 'Begun' }).click()
  await untilHolds(field(page), 'And more')
})

test('does not make the next person wait for a request of the previous one', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  const { answered, release } = await holdBack(page, 'POST', /\/tickets$/, 1)
  await write(chat(page), 'Of the first')
  await answered
  await call(page, 'logout')
  await start(page).click()
  await write(chat(page), 'Of the second')
  await chat(page).getByText('· Sent').waitFor()
  release()
  await press(page, 'Back')
  await rows(page).filter({ hasText: 'Of the second' }).waitFor()
  assert.equal(await rows(page).count(), 1)
})

test('does not carry a reply to one conversation over to another', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'The first')
  await press(page, 'Back')
  await chat(page).locator('.start').click()
  await write(chat(page), 'The second')
  await chat(page).getByText('· Sent').waitFor()
  const line = chat(page).getByRole('listitem').filter({ hasText: 'The second' })
  await line.hover()
  await line.getByRole('button', { name: /^Reply/ }).click()
  await chat(page).locator('.answered').waitFor()
  await press(page, 'Back')
  await rows(page).filter({ hasText: 'The first' }).click()
  const taken = page.waitForResponse(one => one.request().method() === 'POST' && /messages$/.test(one.url()))
  await write(chat(page), 'More of the first')
  assert.equal((await taken).status(), 201)
})

test('lists a conversation that starts while the list is loading', chromium, async () => {
  const page = await shop.visit()
  await openChat(page)
  await start(page).click()
  const { answered, release } = await holdBack(page, 'GET', /\/tickets$/)
  await page.route(/\/tickets$/, async route => {
    if (route.request().method() === 'POST') await answered
    await route.fallback()
  })
  await write(chat(page), 'Newer than the list')
  await chat(page).getByText('· Sent').waitFor()
  const late = page.waitForEvent('requestfinished', one => /\/tickets$/.test(one.url()))
  release()
  await late
  await press(page, 'Back')
  await rows(page).filter({ hasText: 'Newer than the list' }).waitFor()
})

test('removes only a failed reaction, not other changes', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Hello?')
  const { body: answer } = await shop.olga.api.post(`/tickets/${id}/messages`, { content: 'Wrong words' })
  const line = chat(page).getByRole('listitem').filter({ hasText: 'words' })
  await line.waitFor()
  const held = Promise.withResolvers<void>()
  await page.route(/\/reactions\//, async route => {
    await held.promise
    await route.abort()
  })
  await line.hover()
  await line.getByRole('button', { name: 'Add a reaction' }).click()
  await line.getByRole('button', { name: 'React with 👍' }).click()
  await line.locator('.reactions').waitFor()
  await shop.olga.api.patch(`/messages/${answer.id}`, { content: 'Right words' })
  await line.getByText('Right words').waitFor()
  const failed = page.waitForEvent('requestfailed')
  held.resolve()
  await failed
  await line.locator('.reactions').waitFor({ state: 'detached' })
  await line.getByText('Right words').waitFor()
})

test('marks where unread messages begin when a conversation is opened', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Old')
  await press(page, 'Back')
  await rows(page).filter({ hasText: 'Old' }).waitFor()
  await shop.olga.api.post(`/tickets/${id}/messages`, { content: 'New to you' })
  await rows(page).filter({ hasText: 'New to you' }).click()
  await chat(page).locator('.new-line').waitFor()
  assert.deepEqual(await receivedEvents(page, 'error'), [])
})
