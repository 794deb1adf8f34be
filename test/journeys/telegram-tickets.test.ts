import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccessibilityViolations } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { writeFormatted } from '../editor.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { makeGroup, Participant } from '../telegram/people.ts'
import { openConversation, sendMessages } from '../telegram/sending.ts'
import { until } from '../until.ts'

/** Telegram tickets in the dashboard. Customers write through a stand-in for Telegram. */

const chromium = needs('chromium')
const dashboard = useDashboard(({ olga }) =>
  olga.api.patch('/inbox-settings', {
    undo_seconds: { widget: 0, email: 0, api: 0, telegram: 0, other: 0 },
  }),
)
const { olga } = dashboard

interface Cleaner {
  after(run: () => unknown): void
}

/** Ann's ticket, opened by Olga. */
async function openAnn(t: Cleaner, options = {}) {
  const { server } = dashboard
  const opened = await openConversation(t, server)
  sendMessages(t, server)
  const { short_id } = (await server.api.get(`/tickets/${opened.ticketId}`)).body
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  await page.goto(`/p/${server.acme.id}/inbox/all/${short_id}`)
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('Hello').first().waitFor()
  const editor = page.getByRole('textbox', { name: 'Reply', exact: true })
  const write = async (content: string) => {
    await editor.fill(content)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
  }
  return { ...opened, page, log, write }
}

test('a customer writes in Telegram and receives the operator’s reply there', chromium, async t => {
  const { page, log, ann, bot, write } = await openAnn(t)
  await page.getByText(`Goes to Ann Lee in Telegram, from @${bot.user.username}`).waitFor()
  await page.getByRole('link', { name: 'Hello' }).getByRole('img', { name: 'Telegram' }).waitFor()
  await write('How can we help?')
  await until(() => ann.received.some(({ text }) => text === 'How can we help?'))
  ann.say('My order has not arrived')
  await log.getByText('My order has not arrived').waitFor()
  const api = await makeTicket(dashboard.server.api, { subject: 'Sent by a program' })
  await page.getByRole('link', { name: 'Sent by a program' }).waitFor()
  await page.getByRole('textbox', { name: 'Search this view…' }).fill('channel:telegram')
  await page.getByRole('link', { name: api.subject }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Hello' }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test('a formatted reply has the same formatting in Telegram', chromium, async t => {
  const { page, ann } = await openAnn(t)
  await writeFormatted(page.getByRole('textbox', { name: 'Reply', exact: true }))
  await page.keyboard.press('Control+Enter')
  const { text = '', entities = [] } = await until(() =>
    ann.received.find(({ text }) => text?.includes('Hello Ann')),
  )
  assert.equal(text, 'Hello Ann, see our guide.\n\n• one\n• two\n\nQuoted\n\nSize | Price\nS | 9\nM | 12')
  const found = entities.map(({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`)
  assert.deepEqual(found, ['bold Ann', 'text_link our guide', 'blockquote Quoted', 'bold Size', 'bold Price'])
})

test(
  'the customer’s edits and reactions appear in the ticket, and the operator’s in Telegram',
  chromium,
  async t => {
    const { page, log, ann, write } = await openAnn(t)
    const said = ann.say('My order 1O42')
    await log.getByText('My order 1O42').waitFor()
    ann.edit(said.message_id, { text: 'My order 1042' })
    await log.getByText('My order 1042').waitFor()
    await log.getByText('edited', { exact: true }).waitFor()
    await write('Thank you')
    const sent = await until(() => ann.received.find(({ text }) => text === 'Thank you'))
    // A reaction to a message whose number is not recorded yet is ignored.
    const { db } = dashboard.server
    await until(
      async () => (await db`select from telegram_messages where telegram_id = ${sent.message_id}`).count > 0,
    )
    ann.react(sent.message_id, ['❤'])
    await log.getByRole('button', { name: '❤️ 1, By the customer' }).waitFor()
    const message = page.getByRole('article').filter({ hasText: 'My order 1042' }).last()
    await message.getByRole('button', { name: 'More actions' }).last().click()
    await page
      .getByRole('button', { name: '👍' })
      .or(page.getByRole('menuitem', { name: '👍' }))
      .click()
    await until(() => ann.state.botReactions.get(said.message_id)?.includes('👍'))
    assert.deepEqual(await listAccessibilityViolations(page), [])
  },
)

test(
  'a blocked bot is reported in the contact panel, above the editor and on the undelivered reply',
  chromium,
  async t => {
    const { page, log, ann, write, settled } = await openAnn(t, {
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    })
    ann.block()
    await settled()
    await page.reload()
    await page.getByText('Ann Lee has blocked the bot').waitFor()
    await write('Are you there?')
    await log.getByText('The customer has blocked the bot.').waitFor()
    await log.getByRole('button', { name: 'Send again' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Contact panel' }).click()
    await page.getByRole('dialog').getByText('Blocked the bot').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Escape')
    ann.unblock()
    await settled()
    await log.getByRole('button', { name: 'Send again' }).click()
    await until(() => ann.received.some(({ text }) => text === 'Are you there?'))
  },
)

test(
  'the panel shows the customer’s Telegram username and the bot, which only admins can open',
  chromium,
  async t => {
    const { server } = dashboard
    const { page, bot, id } = await openAnn(t, { viewport: { width: 1500, height: 900 } })
    const panel = page.getByRole('complementary', { name: 'Contact' })
    assert.equal(
      await panel.getByRole('link', { name: '@annlee' }).getAttribute('href'),
      'https://t.me/annlee',
    )
    const link = panel.getByRole('link', { name: `@${bot.user.username}` })
    assert.equal(await link.getAttribute('href'), `/p/${server.acme.id}/settings/telegram-bots/${id}`)
    assert.deepEqual(await listAccessibilityViolations(page), [])
    const operator = await dashboard.open(await joinProject(server, server.acme, { name: 'Omar' }), {
      viewport: { width: 1500, height: 900 },
    })
    await operator.goto(page.url())
    await operator.getByText(`@${bot.user.username}`).last().waitFor()
    assert.equal(await operator.getByRole('link', { name: `@${bot.user.username}` }).count(), 0)
  },
)

test(
  'a ticket names its group, and says that replies cannot be sent if its bot was deleted',
  chromium,
  async t => {
    const { page, bot, ann, id, standIn, settled } = await openAnn(t)
    await olga.api.patch(`/telegram-bots/${id}`, { takes_groups: true })
    const inGroup = new Participant(standIn.world, bot, ann.person, makeGroup('Acme fans'))
    inGroup.say('A question from the group')
    await settled()
    await page.getByRole('link', { name: 'A question from the group' }).click()
    await page.getByText('Goes to the group Acme fans in Telegram').waitFor()
    await olga.api.post(`/telegram-bots/${id}/pause`)
    await page.reload()
    await page.getByText(`@${bot.user.username} is paused. Replies wait`).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await olga.api.delete(`/telegram-bots/${id}`)
    await page.reload()
    await page.getByText('The Telegram bot of this conversation was deleted.').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
  },
)

test(
  'a message that Deskbell could not read is reported in its ticket and can be retried from the bot’s page',
  chromium,
  async t => {
    const { page, id, log } = await openAnn(t)
    const { server } = dashboard
    await server.db`
    update telegram_updates set state = 'failed', last_error = 'a fault' where bot_id = ${id} and state = 'done'`
    await page.reload()
    await page.getByText('1 message in this chat couldn’t be read.').waitFor()
    await log.getByText('Hello').waitFor()
    await page.goto(`/p/${server.acme.id}/settings/telegram-bots/${id}`)
    await page.getByText('1 message could not be read').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Try to read them again' }).click()
    await page.getByText('1 message could not be read').waitFor({ state: 'detached' })
  },
)
