import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilEnded, untilIn } from '../browser.ts'
import { eventsOf, listEvents } from '../cast.ts'
import { needs } from '../needs.ts'
import {
  begin,
  call,
  chat,
  field,
  launcher,
  openChat,
  openShop,
  receivedEvents,
  type Shop,
  start,
  write,
} from '../shop.ts'

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

const answer = (ticketId: string, content: string, fields = {}) =>
  shop.olga.api.post(`/tickets/${ticketId}/messages`, { content, ...fields })

test(
  'loads only the script and the launcher settings before the chat is opened, and stores nothing',
  chromium,
  async () => {
    const context = await shop.browser.newContext()
    const asked: string[] = []
    context.on('request', request =>
      asked.push(new URL(request.url()).origin + new URL(request.url()).pathname),
    )
    const page = await shop.visit({}, context)
    await page.waitForLoadState('networkidle')
    assert.deepEqual(
      asked.filter(url => !url.startsWith(shop.site)),
      [`${shop.desk}/widget.js`, `${shop.desk}/widget/look/${shop.project.id}`],
    )
    assert.deepEqual(await context.storageState(), { cookies: [], origins: [] })
    await openChat(page)
    const origins = new Set(asked.map(url => new URL(url).origin))
    assert.deepEqual([...origins].sort(), [shop.desk, shop.site].sort())
  },
)

test('page styles and its policy do not affect the chat, nor the chat the page', chromium, async () => {
  // The panel is smaller while it is animated.
  const page = await shop.visit({ viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' })
  const said: string[] = []
  page.on('console', message => said.push(message.text()))
  page.on('pageerror', error => said.push(error.message))
  assert.deepEqual(await launcher(page).boundingBox(), { x: 924, y: 724, width: 56, height: 56 })
  await openChat(page)
  const panel = await page.locator('deskbell-widget .panel').boundingBox()
  assert.deepEqual([panel!.width, panel!.height], [400, 692])
  assert.equal(await page.evaluate('document.styleSheets.length + document.adoptedStyleSheets.length'), 1)
  assert.equal(await page.evaluate('document.body.children.length'), 1)
  assert.deepEqual(said, [])
})

test('writes nothing to the console of the page, whatever a visitor does', chromium, async () => {
  const page = await shop.visit()
  const said: string[] = []
  page.on('console', message => said.push(`${message.text()} ${message.location().url}`))
  page.on('pageerror', error => said.push(error.message))
  const answerTo = (path: string) => page.waitForResponse(one => one.url().endsWith(path))
  for (const words of ['As somebody new', 'As somebody else']) {
    const [id] = await Promise.all([begin(page, words), answerTo('/presence')])
    await Promise.all([page.reload().then(() => openChat(page)), answerTo('/presence')])
    await Promise.all([chat(page).locator('.rows .row').click(), answerTo('/presence')])
    await Promise.all([field(page).fill('And'), answerTo('/typing')])
    await Promise.all([answer(id, 'We know'), answerTo('/read')])
    await call(page, 'logout')
    await start(page).waitFor()
    await call(page, 'close')
  }
  assert.deepEqual(said, [])
})

test("logs no error in the page's console for requests that a logout interrupts", chromium, async () => {
  const page = await shop.visit()
  const said: string[] = []
  const id = await begin(page, 'I shall not stay')
  page.on('console', message => said.push(message.text()))
  const left = Promise.withResolvers<void>()
  await page.route('**/read', route => left.promise.then(() => route.continue()).catch(() => {}))
  const asked = page.waitForRequest('**/read')
  await answer(id, 'Do you?')
  await asked
  const readEnded = untilEnded(page, one => one.url().endsWith('/read'))
  const sessionEnded = page.waitForResponse(one => one.request().method() === 'DELETE')
  await call(page, 'logout')
  await sessionEnded
  left.resolve()
  await readEnded
  assert.deepEqual(said, [])
})

test('lets an unknown visitor write, and shows the reply as it arrives', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Where is my order?')
  const frame = chat(page)
  await answer(id, 'A note for us', { is_internal: true })
  await answer(id, 'It is on its **way**', { content_format: 'markdown' })
  await frame.getByRole('listitem').getByText('way', { exact: true }).waitFor()
  await frame.getByRole('status').getByText('Olga Berg says: It is on its way').waitFor({ state: 'attached' })
  assert.equal(await frame.getByText('A note for us').count(), 0)
  const { channel, contact_id } = (await shop.olga.api.get(`/tickets/${id}`)).body
  assert.equal(channel, 'widget')
  assert.equal((await shop.olga.api.get(`/contacts/${contact_id}`)).body.source, 'widget')
})

test('counts replies to a closed chat on the launcher until they are read', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Hello?')
  await chat(page).getByRole('button', { name: 'Close chat' }).click()
  await answer(id, 'Yes?')
  await page.getByRole('button', { name: 'Open chat, New messages: 1' }).waitFor()
  assert.deepEqual((await receivedEvents(page, 'unread')).at(-1), { count: 1 })
  await untilIn(page, "receivedEvents.some(([name]) => name === 'message')")
  assert.deepEqual(await receivedEvents(page, 'message'), [
    { ticket_id: id, content: 'Yes?', sender_name: 'Olga Berg' },
  ])
  const read = page.waitForResponse(one => one.url().endsWith('/read'))
  await launcher(page).click()
  await chat(page).getByText('Yes?').first().waitFor()
  await untilIn(page, "receivedEvents.findLast(([name]) => name === 'unread')[1].count === 0")
  assert.equal((await read).status(), 204)
  await page.reload()
  await openChat(page)
  await chat(page)
    .getByRole('button', { name: /Hello\?/ })
    .waitFor()
  assert.equal(await chat(page).locator('.count').count(), 0)
})

test(
  'reports a reply that arrives before the live stream is connected like any other',
  chromium,
  async () => {
    const page = await shop.visit()
    const held = Promise.withResolvers<void>()
    await page.route('**/stream?*', async route => {
      await held.promise
      await route.continue()
    })
    const id = await begin(page, 'Anybody?')
    await chat(page).getByRole('button', { name: 'Close chat' }).click()
    await answer(id, 'Me')
    held.resolve()
    await page.getByRole('button', { name: 'Open chat, New messages: 1' }).waitFor()
    await untilIn(
      page,
      "receivedEvents.some(([name, { content } = {}]) => name === 'message' && content === 'Me')",
    )
  },
)

test('reports a reply to a visitor whose clock is wrong', chromium, async () => {
  const context = await shop.browser.newContext()
  await context.addInitScript('Date.now = (now => () => now() + 3_600_000)(Date.now)')
  const page = await shop.visit({}, context)
  const id = await begin(page, 'What time is it?')
  await answer(id, 'Noon')
  await untilIn(
    page,
    "receivedEvents.some(([name, { content } = {}]) => name === 'message' && content === 'Noon')",
  )
})

test('lets a visitor react to a reply, and remove the reaction', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Thanks')
  const message = (await answer(id, 'You are welcome')).body
  const frame = chat(page)
  const line = frame.getByRole('listitem').filter({ hasText: 'You are welcome' })
  await line.hover()
  await line.getByRole('button', { name: 'Add a reaction' }).click()
  const events = await eventsOf(shop.server, async () => {
    const done = page.waitForResponse(one => one.url().includes('/reactions/'))
    await line.getByRole('button', { name: 'React with 🎉' }).click()
    assert.equal((await done).status(), 200)
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.message_id, data.emoji, data.reactor_kind]),
    [['message.reaction.added', message.id, '🎉', 'contact']],
  )
  const removed = await eventsOf(shop.server, async () => {
    const done = page.waitForResponse(one => one.request().method() === 'DELETE')
    await line.getByRole('button', { name: /Remove your 🎉 reaction/ }).click()
    await done
  })
  assert.deepEqual(
    removed.map(({ type }) => type),
    ['message.reaction.removed'],
  )
})

const paste = `(async () => {
  const data = new DataTransfer()
  const canvas = new OffscreenCanvas(200, 120)
  canvas.getContext('2d').fillRect(20, 20, 90, 60)
  const blob = await canvas.convertToBlob()
  data.items.add(new File([blob], 'shot.png', { type: 'image/png' }))
  const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
  document.querySelector('.composer textarea').dispatchEvent(event)
})()`

test('attaches a pasted picture, and shows it', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Look at this')
  const frame = chat(page)
  const field = frame.getByRole('textbox', { name: 'Message' })
  await field.evaluate(paste)
  await frame.getByRole('button', { name: 'Remove shot.png' }).waitFor()
  await frame.locator('.upload progress').waitFor({ state: 'detached' })
  await frame.getByRole('button', { name: 'Send' }).click()
  const picture = frame.getByRole('img', { name: 'Image: shot.png' })
  await frame.getByText('· Sent').waitFor()
  await picture.scrollIntoViewIfNeeded()
  await picture.evaluate('document.querySelector(".picture img").decode()')
  const { items } = (await shop.olga.api.get(`/tickets/${id}/messages`)).body
  assert.equal(items.at(-1).media[0].filename, 'shot.png')
})

test('lets a visitor rate a closed conversation', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'Done')
  await shop.olga.api.post(`/tickets/${id}/close`, {})
  const frame = chat(page)
  await frame.getByRole('radio', { name: 'Very good' }).check()
  await frame.getByRole('textbox', { name: /Anything you’d like to add/ }).fill('Quick!')
  const events = await eventsOf(shop.server, async () => {
    await frame.locator('.rating').getByRole('button', { name: 'Send' }).click()
    await frame.getByText('Thanks for your feedback!').waitFor()
  })
  assert.deepEqual(
    events.filter(({ type }) => type === 'ticket.rated').map(({ data }) => data.rating),
    [5],
  )
})

test('sends what was written offline once when the network is back', chromium, async () => {
  const page = await shop.visit()
  const id = await begin(page, 'One')
  const frame = chat(page)
  await page.context().setOffline(true)
  await write(frame, 'Two')
  await write(frame, 'Three')
  await frame.getByText('Will send when you’re back online').nth(1).waitFor()
  await frame.getByText('You’re offline.').waitFor()
  await answer(id, 'Are you there?')
  await page.context().setOffline(false)
  await frame.getByText('Are you there?').first().waitFor()
  await frame.getByText('· Sent').waitFor()
  const { items } = (await shop.olga.api.get(`/tickets/${id}/messages`)).body
  const spoken = items.filter(({ sender_type }: { sender_type: string }) => sender_type !== 'system')
  const contents = spoken.map(({ content }: { content: string }) => content)
  assert.deepEqual(contents.toSorted(), ['Are you there?', 'One', 'Three', 'Two'])
  assert.ok(contents.indexOf('Two') < contents.indexOf('Three'))
  assert.equal(await frame.getByRole('listitem').filter({ hasText: 'Three' }).count(), 1)
})

test(
  'resends an unsent message after a reload, without duplicating one whose response was lost',
  chromium,
  async () => {
    const page = await shop.visit()
    const id = await begin(page, 'First')
    const frame = chat(page)
    const lost = '**/tickets/*/messages'
    await page.route(lost, async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
    })
    const failed = page.waitForEvent('requestfailed', one => one.method() === 'POST')
    await write(frame, 'Second')
    await failed
    await page.unroute(lost)
    await page.reload()
    await openChat(page)
    await chat(page).getByRole('button', { name: /First/ }).click()
    await chat(page).getByText('· Sent').waitFor()
    const kept = "Object.keys(localStorage).filter(key => key.split(':').length > 2).length"
    await untilIn(page, `${kept} === 0`)
    const events = await listEvents(shop.server.db, shop.project)
    const made = events.filter(({ type, data }) => type === 'message.created' && data.ticket_id === id)
    assert.equal(made.length, 2)
    assert.equal(await chat(page).getByRole('listitem').filter({ hasText: 'Second' }).count(), 1)
  },
)
