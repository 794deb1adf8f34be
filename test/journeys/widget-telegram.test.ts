import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { needs } from '../needs.ts'
import { begin, chat, openShop, type Shop, write } from '../shop.ts'
import { openBot } from '../telegram/bots.ts'
import { sendMessages } from '../telegram/sending.ts'
import { until } from '../until.ts'

/** A visitor starts a conversation in a website's chat and continues it in Telegram. */

const chromium = needs('chromium')

let shop: Shop
before(async () => {
  if (!chromium.skip) shop = await openShop()
})
after(() => shop?.close())

const button = (page: Page) => chat(page).getByRole('button', { name: 'Continue in Telegram' })
const continued = (page: Page, username: string) =>
  chat(page).getByText(`This conversation continues in Telegram with @${username}.`)

/** Continues in Telegram, with a placeholder for Telegram's page. Returns the address that was opened. */
async function follow(page: Page): Promise<URL> {
  await page.context().route('https://t.me/**', route => route.fulfill({ body: 'Telegram' }))
  const [tab] = await Promise.all([page.context().waitForEvent('page'), button(page).click()])
  await tab.waitForURL('https://t.me/**')
  assert.equal(await tab.evaluate('window.opener'), null)
  return new URL(tab.url())
}

test(
  'a conversation continues in Telegram: replies arrive there, and the chat says so',
  chromium,
  async t => {
    const { ann, bot, settled } = await openBot(t, shop.server)
    const { username = '' } = bot.user
    sendMessages(t, shop.server)
    const page = await shop.visit()
    const id = await begin(page, 'Where is my parcel?')
    const address = await follow(page)
    assert.equal(address.pathname, `/${username}`)
    assert.equal(await continued(page, username).count(), 0)
    ann.start(address.searchParams.get('start') ?? '')
    await settled()
    await continued(page, username).waitFor()
    await shop.olga.api.post(`/tickets/${id}/messages`, { content: 'It arrives tomorrow' })
    await until(() => ann.received.some(({ text }) => text === 'It arrives tomorrow'))
    await chat(page).getByText('It arrives tomorrow').first().waitFor()
    ann.say('Thank you!')
    await chat(page).getByText('Thank you!').first().waitFor()
    await continued(page, username).waitFor()
    await write(chat(page), 'Back on the website')
    await continued(page, username).waitFor({ state: 'detached' })
  },
)

test(
  'the chat offers Telegram only if a bot is active and the chat’s settings allow it',
  chromium,
  async t => {
    const { id } = await openBot(t, shop.server)
    const start = async () => {
      const page = await shop.visit()
      await begin(page, 'Hello')
      return page
    }
    const offers = async () => (await button(await start()).count()) > 0
    await button(await start()).waitFor()
    await shop.olga.api.patch('/widget', { shows_telegram: false })
    assert.equal(await offers(), false)
    await shop.olga.api.patch('/widget', { shows_telegram: true })
    await shop.server.db`update telegram_bots set state = 'paused' where id = ${id}`
    assert.equal(await offers(), false)
  },
)

test('the chat reports that no link can be created, and closes the new tab', chromium, async t => {
  const { id } = await openBot(t, shop.server)
  const page = await shop.visit()
  await begin(page, 'Hello')
  await shop.server.db`update telegram_bots set state = 'paused' where id = ${id}`
  await button(page).click()
  await chat(page).getByText('Something went wrong').waitFor()
  await until(() => page.context().pages().length === 1)
})

test('the chat shows a link if the browser blocks new tabs', chromium, async t => {
  await openBot(t, shop.server)
  const page = await shop.visit()
  await page.context().addInitScript('window.open = () => null')
  await page.reload()
  await begin(page, 'Hello')
  await button(page).click()
  const link = chat(page).getByRole('link', { name: 'Continue in Telegram' })
  assert.match((await link.getAttribute('href')) ?? '', /^https:\/\/t\.me\/\w+\?start=/)
})
