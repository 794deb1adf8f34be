import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listBarriers } from '../browser.ts'
import { makeMessage, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

async function open(path: string, options = {}): Promise<Page> {
  const page = await dashboard.open(olga, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  await page.goto(`/p/${dashboard.server.acme.id}${path}`)
  return page
}

/** A closed ticket that has the word in its first message, and another message after it. */
async function makeOld(word: string): Promise<void> {
  const { api } = dashboard.server
  const { id } = await makeTicket(api, {
    subject: 'Kettle',
    content: `${'It boiled and '.repeat(30)}the “${word}” broke`,
  })
  await makeMessage(api, id, { content: 'Thank you' })
  await api.post(`/tickets/${id}/close`, {})
}

test(
  'words that one view does not have are searched in all tickets, by keyboard, and marked in the row',
  chromium,
  async () => {
    const word = `w${unique()}`
    await makeOld(word)
    const page = await open('/inbox/open')
    await page.getByRole('textbox', { name: /Search in this view/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(word)
    await page.getByRole('heading', { name: `No ticket matches “${word}”` }).waitFor()
    assert.deepEqual(await listBarriers(page), [])
    const everywhere = page.getByRole('button', { name: 'Search in all tickets' }).and(page.locator(':focus'))
    while ((await everywhere.count()) === 0) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const row = page.getByRole('link', { name: /Kettle/ })
    await row.locator('mark', { hasText: word }).waitFor()
    assert.match(await row.innerText(), /… .*boiled and the “w/)
    assert.match(page.url(), /\/inbox\/all\?q=/)
    assert.equal(await page.getByRole('button', { name: 'Search in all tickets' }).count(), 0)
    const [box, mark] = [await row.boundingBox(), await row.locator('mark').boundingBox()]
    assert.ok(mark!.x + mark!.width <= box!.x + box!.width, 'the mark is within the row')
    assert.deepEqual(await listBarriers(page), [])
  },
)

test('the command bar goes on to all tickets with the words', chromium, async () => {
  const word = `w${unique()}`
  await makeOld(word)
  const page = await open('/inbox/open')
  await page.getByRole('textbox', { name: /Search in this view/ }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(word)
  await page.getByRole('button', { name: `Search all tickets for “${word}”` }).click()
  await page
    .getByRole('link', { name: /Kettle/ })
    .locator('mark', { hasText: word })
    .waitFor()
})

test('what is found by the subject is marked there, in dark colours', chromium, async () => {
  const word = `w${unique()}`
  await makeTicket(dashboard.server.api, { subject: `Lamp ${word}`, content: 'Hello' })
  const page = await open(`/inbox/all?q=${word}`, { colorScheme: 'dark' })
  const mark = page.getByRole('link', { name: /Lamp/ }).locator('mark')
  await mark.waitFor()
  assert.equal(await mark.innerText(), word)
  assert.deepEqual(await listBarriers(page), [])
})
