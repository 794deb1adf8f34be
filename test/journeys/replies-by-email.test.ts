import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { keepFirstKey, listAccessibilityViolations, untilIn } from '../browser.ts'
import { openFileContext } from '../file-context.ts'
import { passUnreadTime, support } from '../mail/chat-by-email.ts'
import { openMailbox } from '../mail/receiving.ts'
import { sendMails, sendThrough } from '../mail/sending.ts'
import { type Sink, startSink } from '../mail/sink.ts'
import { needs } from '../needs.ts'
import { begin, chat, identified, openShop, type Shop } from '../shop.ts'
import { until } from '../until.ts'
import { sign } from '../widget.ts'

/** Chat replies that are sent by email, and copies of conversations. */

const chromium = needs('chromium')
const context = openFileContext()
let shop: Shop
let sink: Sink
let mailboxId: string
let secret: string

before(async () => {
  if (chromium.skip) return
  shop = await openShop()
  const { server } = shop
  ;({ secret } = (await shop.olga.api.post('/widget/secret')).body)
  sink = await startSink(context)
  ;({ id: mailboxId } = await openMailbox({ server }, support, { name: 'Acme Support' }))
  await sendThrough(server, mailboxId, sink)
  sendMails(context, server)
})
after(() => shop?.close())

async function openDashboard(path: string): Promise<Page> {
  const { browser, desk, olga, project } = shop
  const own = await browser.newContext({ locale: 'en-GB', baseURL: desk })
  await own.addCookies([...olga.cookies].map(([name, value]) => ({ name, value, url: desk })))
  const page = await own.newPage()
  await keepFirstKey(page)
  await page.goto(`/p/${project.id}/${path}`)
  return page
}

/** Opens a conversation with a reply for a visitor whose address the website has signed. */
async function askAs(email: string, words: string) {
  const user = { email }
  const page = await shop.visit({ boot: { user, signature: sign(user, secret) } })
  await identified(page)
  const ticketId = await begin(page, words)
  const reply = (content: string) => shop.olga.api.post(`/tickets/${ticketId}/messages`, { content })
  return { page, ticketId, reply }
}

const mailTo = (address: string, words: string) =>
  until(() => sink.mails.find(({ to, raw }) => to.includes(address) && raw.includes(words)))

test(
  'after an admin turns on replies by email, a visitor who has left is emailed an unread reply',
  chromium,
  async () => {
    const page = await openDashboard('settings/reply-mailboxes')
    const chatSection = page.locator('section', { has: page.getByRole('heading', { name: 'Website chat' }) })
    await chatSection.getByLabel('Send from').click()
    await page.getByRole('option', { name: support }).click()
    await page.getByLabel('Minutes to wait').fill('2')
    assert.deepEqual(await listAccessibilityViolations(page), [])
    // From before the click, because this message disappears after four seconds.
    await Promise.all([
      page.getByRole('status').getByText('Saved', { exact: true }).waitFor(),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    assert.deepEqual((await shop.olga.api.get('/reply-mailboxes')).body, {
      widget_mailbox_id: mailboxId,
      widget_after_minutes: 2,
      api_mailbox_id: null,
    })
    const { page: visit, reply } = await askAs('vera@example.com', 'Where is my lamp?')
    await visit.context().close()
    await until(async () => (await shop.server.db`select from visitor_tabs`).count === 0)
    await reply('It arrives on Monday')
    await passUnreadTime(shop.server)
    await mailTo('vera@example.com', 'It arrives on Monday')
  },
)

test('the composer says to whom a reply in the chat or in an API ticket is emailed', chromium, async () => {
  const { olga, server } = shop
  const { ticketId } = await askAs('yara@example.com', 'Is it green?')
  const page = await openDashboard(`inbox/all/${ticketId}`)
  const words = page.getByText('Will be emailed to yara@example.com if it isn’t read within 2 minutes')
  await words.waitFor()
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await words.waitFor({ state: 'detached' })
  await olga.api.patch('/reply-mailboxes', { api_mailbox_id: mailboxId })
  await olga.api.patch('/inbox-settings', {
    undo_seconds: { widget: 0, email: 0, api: 0, telegram: 0, other: 0 },
  })
  const { body } = await server.api.post('/tickets', {
    ...{
      contact: { email: 'zoe@example.com', full_name: 'Zoe' },
      subject: 'A chair',
      content: 'Is it free?',
    },
  })
  const other = await openDashboard(`inbox/all/${body.short_id}`)
  await other.getByText(`To Zoe · From ${support} · Subject A chair`).waitFor()
  assert.deepEqual(await listAccessibilityViolations(other), [])
  await other.keyboard.press('r')
  await untilIn(other, `document.activeElement.getAttribute('aria-label') === 'Reply'`)
  await other.keyboard.type('It is yours')
  await other.keyboard.press('Control+Enter')
  await mailTo('zoe@example.com', 'It is yours')
})

test('a visitor requests a copy of the conversation by keyboard, and sees the result', chromium, async () => {
  const { page, reply } = await askAs('walt@example.com', 'Is it red?')
  const button = chat(page).getByRole('button', { name: 'Email me this conversation' })
  assert.equal(await button.count(), 0)
  await reply('It is red')
  await chat(page).getByText('It is red').first().waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
  await chat(page).getByText('We’re sending a copy to your email address.').waitFor()
  await mailTo('walt@example.com', 'Is it red?')
  await button.click()
  await chat(page).getByText('Couldn’t email a copy right now.').waitFor()
})

test('an operator emails a copy from the menu of the ticket', chromium, async () => {
  const { ticketId, reply } = await askAs('xena@example.com', 'Is it blue?')
  await reply('It is blue')
  const page = await openDashboard(`inbox/all/${ticketId}`)
  await page.getByRole('article').getByText('It is blue').first().waitFor()
  await Promise.all([
    page.getByText('A copy is being sent to xena@example.com').waitFor(),
    page.keyboard.press('Shift+E'),
  ])
  const log = page.getByRole('log')
  await log.getByText('Olga Berg emailed a copy of the conversation to xena@example.com').waitFor()
  await mailTo('xena@example.com', 'Is it blue?')
})
