import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilHolds } from '../browser.ts'
import { unique } from '../cast.ts'
import { needs } from '../needs.ts'
import { begin, call, chat, field, find, openChat, openShop, type Shop, sent, write } from '../shop.ts'

/** A token is refused, and nothing is lost of what its visitor has written. */

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

/** The server knows none of the tokens any more that it has given. */
const refuseAll = () => shop.server.db`
  update visitors set token_hash = sha256(id::text::bytea) where project_id = ${shop.project.id}`

test(
  'what waited for a conversation that is no longer the visitor’s begins a new one',
  chromium,
  async () => {
    const words = unique()
    const page = await shop.visit()
    const id = await begin(page, 'Before')
    await page.context().setOffline(true)
    await write(chat(page), words)
    await chat(page).getByText('Will be sent when you are online again').waitFor()
    await refuseAll()
    await page.context().setOffline(false)
    await sent(page)
    await chat(page).getByText(words).first().waitFor()
    const found = await find(shop, words)
    assert.equal(found.length, 1)
    assert.notEqual(found[0]!.ticket_id, id)
    assert.equal(await chat(page).getByText('Before').count(), 0)
  },
)

test('what was kept for a visitor whom the server forgets meanwhile is sent once', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await begin(page, 'Before')
  const context = page.context()
  await context.setOffline(true)
  await write(chat(page), words)
  await chat(page).getByText('Will be sent when you are online again').waitFor()
  await page.close()
  await refuseAll()
  await context.setOffline(false)
  const next = await shop.visit({}, context)
  await openChat(next)
  await chat(next).locator('.rows .row').filter({ hasText: words }).waitFor()
  assert.equal((await find(shop, words)).length, 1)
})

test('what is being written stays in the field when the visitor’s token is refused', chromium, async () => {
  const page = await shop.visit()
  await begin(page, 'Before')
  await field(page).fill('Not yet sent')
  await refuseAll()
  const refused = page.waitForResponse(one => one.status() === 401)
  await call(page, 'close')
  await refused
  await openChat(page)
  await untilHolds(field(page), 'Not yet sent')
  await chat(page).getByText('Before').first().waitFor({ state: 'detached' })
})

test('a file outlives the token with which it was uploaded', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await begin(page, 'Before')
  const add = (name: string) =>
    chat(page)
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
  await add('one.txt')
  await chat(page).locator('.upload progress').waitFor({ state: 'detached' })
  await refuseAll()
  await add('two.txt')
  await field(page).fill(words)
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await sent(page)
  const { ticket_id } = (await find(shop, words))[0]!
  const { items } = (await shop.olga.api.get(`/tickets/${ticket_id}/messages`)).body
  const names = items.flatMap((one: { media: { filename: string }[] }) =>
    one.media.map(({ filename }) => filename),
  )
  assert.deepEqual(names.toSorted(), ['one.txt', 'two.txt'])
})

test('a message goes with its files when the token is refused as it is sent', chromium, async () => {
  const words = unique()
  const page = await shop.visit()
  await begin(page, 'Before')
  const buffer = Buffer.from('One')
  await chat(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'one.txt', mimeType: 'text/plain', buffer })
  await chat(page).locator('.upload progress').waitFor({ state: 'detached' })
  await refuseAll()
  await write(chat(page), words)
  await sent(page)
  const { ticket_id } = (await find(shop, words))[0]!
  const { items } = (await shop.olga.api.get(`/tickets/${ticket_id}/messages`)).body
  assert.equal(items.at(-1).media[0].filename, 'one.txt')
})

test('a project that is suspended for a while forgets none of its visitors', chromium, async () => {
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
