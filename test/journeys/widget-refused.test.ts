import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { holdBack, untilDrawn, untilHolds } from '../browser.ts'
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
  refuseAll,
  type Shop,
  sent,
  start,
  uploaded,
  write,
  writeOffline,
} from '../shop.ts'

/** The server rejects a token, and nothing that its visitor has written is lost. */

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

/** The names of all files in the conversation with these words. */
async function filesBeside(words: string): Promise<string[]> {
  const { ticket_id } = (await find(shop, words))[0]!
  const { items } = (await shop.olga.api.get(`/tickets/${ticket_id}/messages`)).body
  const media = items.flatMap((one: { media: { filename: string }[] }) => one.media)
  return media.map(({ filename }: { filename: string }) => filename).toSorted()
}

test(
  'starts a new conversation with a queued message if its conversation is no longer accessible',
  chromium,
  async () => {
    const words = unique()
    const page = await shop.visit()
    const id = await begin(page, 'Before')
    await writeOffline(page, words)
    await refuseAll(shop)
    await page.context().setOffline(false)
    await sent(page)
    await chat(page).getByText(words).first().waitFor()
    const found = await find(shop, words)
    assert.equal(found.length, 1)
    assert.notEqual(found[0]!.ticket_id, id)
    assert.equal(await chat(page).getByText('Before').count(), 0)
  },
)

test('sends a stored message once if the server has forgotten its visitor by then', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await begin(page, 'Before')
  const context = page.context()
  await writeOffline(page, words)
  await page.close()
  await refuseAll(shop)
  await context.setOffline(false)
  const next = await shop.visit({}, context)
  await openChat(next)
  await chat(next).locator('.rows .row').filter({ hasText: words }).waitFor()
  assert.equal((await find(shop, words)).length, 1)
})

test('does not resend an accepted message after the server has forgotten its visitor', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  const { answered } = await holdBack(page, 'GET', /\/messages(\?.*)?$/)
  const frame = await openChat(page)
  await start(page).click()
  await write(frame, words)
  await answered
  await refuseAll(shop)
  await page.close()
  const next = await shop.visit({}, page.context())
  await begin(next, 'After')
  assert.equal((await find(shop, words)).length, 1)
})

test('keeps the visitor in the editor when an old token is rejected', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  await refuseAll(shop)
  const { answered, release } = await holdBack(page, 'GET', /\/session$/)
  await page.reload()
  await answered
  await openChat(page)
  await start(page).click()
  await field(page).waitFor()
  const refused = page.waitForResponse(one => one.status() === 401)
  release()
  await refused
  await untilDrawn(page)
  await write(chat(page), 'After')
  await sent(page)
})

test("keeps the text in the field when the visitor's token is rejected", chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  await field(page).fill('Not yet sent')
  // The request about typing may already be the first that is rejected.
  const refused = page.waitForResponse(one => one.status() === 401)
  await refuseAll(shop)
  await call(page, 'close')
  await refused
  await openChat(page)
  await untilHolds(field(page), 'Not yet sent')
  await chat(page).getByText('Before').first().waitFor({ state: 'detached' })
})

test('keeps an uploaded file when the token that uploaded it is rejected', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await begin(page, 'Before')
  await addFile(page, 'one.txt')
  await uploaded(page)
  await refuseAll(shop)
  await addFile(page, 'two.txt')
  await field(page).fill(words)
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await sent(page)
  assert.deepEqual(await filesBeside(words), ['one.txt', 'two.txt'])
})

test('sends a message with its files when the token is rejected at that moment', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  // Typing is reported only once the stream is connected, which the chat reports first.
  await Promise.all([page.waitForResponse(/\/presence$/), begin(page, 'Before')])
  await addFile(page, 'one.txt')
  await uploaded(page)
  // The typing request would discover the rejected token earlier.
  const typing = page.waitForResponse(/\/typing$/)
  await field(page).fill(words)
  await typing
  await refuseAll(shop)
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await sent(page)
  assert.deepEqual(await filesBeside(words), ['one.txt'])
})

test("keeps a project's visitors while it is suspended", chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  const suspend = (at: string | null) =>
    shop.server.db`update projects set suspended_at = ${at} where id = ${shop.project.id}`
  const refused = page.waitForResponse(one => one.status() === 404 && one.url().includes('/stream'))
  await suspend(new Date().toISOString())
  await refused
  await suspend(null)
  await page.reload()
  await openChat(page)
  await chat(page).locator('.rows .row').filter({ hasText: 'Before' }).waitFor()
})
