import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, untilHolds } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { tabTo } from '../tab-to.ts'
import { addOwnBot, openStandIn } from '../telegram/bots.ts'
import { until } from '../until.ts'

/** The settings pages for Telegram bots. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

const pathOf = (id = '') => `/p/${dashboard.server.acme.id}/settings/telegram-bots${id && `/${id}`}`

interface Cleaner {
  after(run: () => unknown): void
}

/** Adds a bot on a stand-in to Acme, and opens the bot's page. */
async function openBotPage(t: Cleaner, options = {}) {
  const standIn = await openStandIn(t)
  const bot = standIn.addBot()
  const { id } = await addOwnBot(dashboard.server, standIn, bot)
  t.after(() => dashboard.server.db`delete from telegram_bots where id = ${id}`)
  const page = await dashboard.open(olga, options)
  await page.goto(pathOf(id))
  await page.getByRole('heading', { name: 'Acme Support', level: 1 }).waitFor()
  const read = async () => (await olga.api.get(`/telegram-bots/${id}`)).body
  return { standIn, bot, id, page, read }
}

/** Types over the value of the field that was refused, which gets the focus. */
async function replaceRefused(page: Page, words: string): Promise<void> {
  await page.locator('input[aria-invalid=true]:focus').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(words)
}

test('a bot can be added with the keyboard alone, and an invalid token is reported', chromium, async t => {
  const standIn = await openStandIn(t)
  const bot = standIn.addBot('Acme Help')
  const page = await dashboard.open(olga)
  await page.goto(pathOf())
  await page.getByText('Open a chat with @BotFather in Telegram and send /newbot.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await tabTo(page, 'Add bot', 'button')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Token', 'textbox')
  await page.keyboard.type('not a token')
  await page.keyboard.press('Enter')
  await page.getByText('Enter the token as @BotFather shows it').waitFor()
  await replaceRefused(page, `${bot.token.slice(0, -3)}AAA`)
  await tabTo(page, 'Use your own Bot API server', 'switch')
  await page.keyboard.press('Space')
  await tabTo(page, 'Server address', 'textbox')
  await page.keyboard.type(standIn.url)
  await page.keyboard.press('Enter')
  await page.getByText('Telegram does not accept this token.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await replaceRefused(page, bot.token)
  await page.keyboard.press('Enter')
  const step = page.locator('section:focus', { hasText: `@${bot.user.username}` })
  await step.waitFor()
  await step.getByText('Deskbell fetches messages from Telegram, because').waitFor()
  assert.deepEqual((await olga.api.get('/telegram-bots')).body.items, [])
  await tabTo(page, 'Add bot', 'button')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Acme Help', level: 1 }).waitFor()
  const [made] = (await olga.api.get('/telegram-bots')).body.items
  assert.equal(made.username, bot.user.username)
  t.after(() => dashboard.server.db`delete from telegram_bots where id = ${made.id}`)
  await page.getByRole('img', { name: `QR code that opens @${bot.user.username}` }).waitFor()
  assert.equal(
    await page.getByRole('textbox', { name: 'Link to the bot' }).inputValue(),
    `https://t.me/${bot.user.username}`,
  )
})

test(
  'a bot that already belongs to another project is shown as taken and cannot be added',
  chromium,
  async t => {
    const { server } = dashboard
    const standIn = await openStandIn(t)
    const bot = standIn.addBot()
    const { id } = await addOwnBot(server, standIn, bot, {}, server.rival)
    t.after(() => server.db`delete from telegram_bots where id = ${id}`)
    const page = await dashboard.open(olga)
    await page.goto(pathOf('add'))
    await page.getByRole('textbox', { name: 'Token' }).fill(bot.token)
    await page.getByLabel('Use your own Bot API server').check()
    await page.getByLabel('Server address').fill(standIn.url)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(`@${bot.user.username} already belongs to a project on this server.`).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add bot' }).count(), 0)
    await page.goto(pathOf())
    await page.getByText('No Telegram bots yet').waitFor()
  },
)

test(
  'a bot’s page tests, pauses and resumes it, and shows problems and how to fix them',
  chromium,
  async t => {
    const { page, id, read } = await openBotPage(t)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The connection works').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('This bot is paused').waitFor()
    assert.equal((await read()).state, 'paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    const fault = { code: 'token_refused', values: {}, at: '2026-01-01T00:00:00.000000' }
    const { db } = dashboard.server
    await db`
    update telegram_bots set state = 'broken', last_error = ${db.json(fault)},
      missed = '{"from":"2026-01-01T00:00:00.000000","until":"2026-01-03T00:00:00.000000"}' where id = ${id}`
    await page.reload()
    await page.getByText('Copy it again from @BotFather').waitFor()
    await page.getByText('Messages may be missing').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.goto(pathOf())
    await page.getByRole('listitem').getByText('Copy it again from @BotFather').waitFor()
    await page.getByText('Broken', { exact: true }).waitFor()
  },
)

test('texts are saved by language: a custom text, Deskbell’s own text, or none', chromium, async t => {
  const { page, read } = await openBotPage(t)
  const greeting = page.getByRole('textbox', { name: 'Greeting' })
  assert.match((await greeting.getAttribute('placeholder')) ?? '', /^Hello! Write to us here/)
  await greeting.fill('Welcome, {{contact.full_name|friend}}!')
  await page.getByLabel('Send no text in this language when a ticket is closed').check()
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'German' }).click()
  await greeting.and(page.getByPlaceholder(/^Hallo/)).waitFor()
  await greeting.fill('Willkommen {{contact.nobody}}')
  await page.getByText('Unknown placeholder: contact.nobody').waitFor()
  await greeting.fill('Willkommen!')
  const form = page.locator('form').filter({ has: greeting })
  // From before the click, because this message disappears after four seconds.
  await Promise.all([
    page.getByText('Saved', { exact: true }).waitFor(),
    form.getByRole('button', { name: 'Save' }).click(),
  ])
  assert.deepEqual((await read()).texts, {
    en: { greeting: 'Welcome, {{contact.full_name|friend}}!', away: null, closed: '' },
    de: { greeting: 'Willkommen!', away: null, closed: null },
  })
})

test('two people who change a bot at the same time see both versions', chromium, async t => {
  const { page, id, read } = await openBotPage(t)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Mine')
  await olga.api.patch(`/telegram-bots/${id}`, { name: 'Theirs' })
  const form = page.locator('form').filter({ has: name })
  await form.getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'Theirs' })
  await conflict.waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.equal((await read()).name, 'Theirs')
  await conflict.getByRole('button').first().click()
  await until(async () => (await read()).name === 'Mine')
})

test('a new token must belong to the same bot', chromium, async t => {
  const { page, standIn, bot, read } = await openBotPage(t)
  const other = standIn.addBot('Other')
  const token = page.getByRole('textbox', { name: 'Token' })
  const before = (await read()).version
  await token.fill(other.token)
  await page.getByRole('button', { name: 'Replace token' }).click()
  await page.getByText('This token belongs to another bot.').waitFor()
  assert.equal((await read()).version, before)
  await token.fill(bot.token)
  await Promise.all([
    page.getByText('Token replaced').waitFor(),
    page.getByRole('button', { name: 'Replace token' }).click(),
  ])
  await untilHolds(token, '')
  assert.equal((await read()).version, before + 1)
})

test('the dialog for deleting a bot explains what happens to its tickets', chromium, async t => {
  const { page, bot } = await openBotPage(t, { colorScheme: 'dark', viewport: { width: 390, height: 800 } })
  await page.getByRole('button', { name: 'Delete bot' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete @${bot.user.username}?` })
  await dialog.getByText('Replies in these tickets can no longer be sent to Telegram.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Delete bot' }).click()
  await page.getByText('No Telegram bots yet').waitFor()
  assert.deepEqual((await olga.api.get('/telegram-bots')).body.items, [])
})

test('a banner tells the team that a bot is not working, and takes admins to its page', chromium, async t => {
  const { page, id, bot } = await openBotPage(t)
  const { server } = dashboard
  await server.db`
    update telegram_bots set state = 'broken', failing_since = now(),
      last_error = '{"code":"token_refused","values":{},"at":"2026-01-01T00:00:00.000000"}' where id = ${id}`
  const words = `New messages to @${bot.user.username} aren’t arriving from Telegram.`
  const operators = await dashboard.open(await joinProject(server, server.acme, { name: 'Omar' }))
  await operators.goto(`/p/${server.acme.id}/inbox/open`)
  await operators.getByText(`${words} Ask an admin of this project`).waitFor()
  assert.equal(await operators.getByRole('button', { name: 'See the problem' }).count(), 0)
  await page.goto(`/p/${server.acme.id}/inbox/open`)
  await page.getByText(words).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('button', { name: 'See the problem' }).click()
  await page.getByText('Messages are not being received').waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Close' }).click()
  await page.getByText(words).waitFor({ state: 'detached' })
})
