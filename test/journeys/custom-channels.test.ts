import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { makeChannel } from '../custom-channel.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

/** Custom channels in the settings and in the inbox. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

const pathOf = (id = '') => `/p/${dashboard.server.acme.id}/settings/channels${id && `/${id}`}`
const inboxOf = (rest = '') => `/p/${dashboard.server.acme.id}/inbox/open${rest}`

/** A red square. */
const picture = {
  name: 'red.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

interface Cleaner {
  after(run: () => unknown): void
}

/** Adds a channel to Acme, and deletes it when the test ends. */
async function addChannel(t: Cleaner, more: object = {}) {
  const { server } = dashboard
  const program = await makeChannel(olga.api, server.api, more)
  t.after(() => olga.api.delete(`/channels/${program.channel.id}`))
  const read = async () => (await olga.api.get(`/channels/${program.channel.id}`)).body
  return { ...program, read }
}

async function openPage(id: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  await page.goto(pathOf(id))
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** A customer writes, and the ticket is opened in the inbox. */
async function openTicket(
  program: Awaited<ReturnType<typeof addChannel>>,
  options: BrowserContextOptions = {},
) {
  const { body } = await program.post('ann', 'Where is my order?')
  const ticket = (await olga.api.get(`/tickets/${body.ticket_id}`)).body
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  await page.goto(inboxOf(`/${ticket.short_id}`))
  await page.getByRole('heading', { name: 'Where is my order?' }).waitFor()
  return { page, ticket }
}

async function reply(page: Page, content: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reply' }).fill(content)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('log').getByText(content).waitFor()
}

/** Waits until the form says what is wrong, and the field with the error has the focus. */
async function untilRefused(page: Page, words: string): Promise<void> {
  await page.getByText(words).waitFor()
  await page.locator('input[aria-invalid=true]:focus').waitFor()
}

/** Makes waiting replies 20 minutes older, so that the test does not have to wait. */
const makeLate = (id: string) =>
  dashboard.server.db`
    update outgoing_queue set created_at = created_at - interval '20 minutes'
    where project_id = ${dashboard.server.acme.id} and account_id = ${id}`

test(
  'a channel can be added with the keyboard alone, with a suggested name, a colour and a picture',
  chromium,
  async t => {
    const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
    page.on('filechooser', chooser => void chooser.setFiles(picture))
    await page.goto(pathOf())
    await page.getByText('No custom channels yet').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await tabTo(page, 'Add channel', 'button')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Title', 'textbox')
    await page.keyboard.press('Enter')
    await untilRefused(page, 'Enter a title.')
    await page.keyboard.type('Línea Ünion 2')
    await page.getByText('Tickets get the channel custom:linea-union-2.').waitFor()
    await tabTo(page, 'Name in the API', 'textbox')
    await page.keyboard.type('Línea')
    await tabTo(page, 'Colour', 'textbox')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('#0f766e')
    await tabTo(page, 'Choose picture', 'button')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove picture' }).waitFor()
    await tabTo(page, 'Add channel', 'button')
    await page.keyboard.press('Enter')
    await untilRefused(page, 'Start with a letter or a digit.')
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('linea')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Línea Ünion 2', level: 1 }).waitFor()
    const [made] = (await olga.api.get('/channels')).body.items
    t.after(() => olga.api.delete(`/channels/${made.id}`))
    assert.partialDeepStrictEqual(made, {
      name: 'linea',
      title: 'Línea Ünion 2',
      color: '#0f766e',
      has_picture: true,
    })
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await until(async () => !(await olga.api.get(`/channels/${made.id}`)).body.has_picture)
  },
)

test('the commands on a channel’s page work as shown', chromium, async t => {
  const { channel, read } = await addChannel(t)
  const page = await openPage(channel.id)
  await page.getByText('no messages yet').waitFor()
  const command = await page.getByRole('region', { name: 'Customer message' }).innerText()
  const [, url, body] = /curl (\S+) .*--json '(.+)'/s.exec(command)!
  assert.equal(new URL(url!).pathname, `/api/v1/channels/${channel.id}/messages`)
  const { server } = dashboard
  const posted = await server.api.post(new URL(url!).pathname.replace('/api/v1', ''), JSON.parse(body!))
  assert.equal(posted.status, 201)
  await page.getByText('last message').waitFor()
  assert.ok((await read()).last_received_at)
})

test(
  'an admin can rename, pause and resume a channel, and sees how many replies are waiting',
  chromium,
  async t => {
    const program = await addChannel(t)
    const { channel, read } = program
    const { body } = await program.post('ann', 'Hello')
    await dashboard.server.api.post(`/tickets/${body.ticket_id}/messages`, { content: 'Hello Ann' })
    const page = await openPage(channel.id)
    await page.getByText('1 reply is waiting for the program').waitFor()
    assert.equal(await page.getByText('The program isn’t sending replies').count(), 0)
    await makeLate(channel.id)
    await page.getByText('The program isn’t sending replies').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByLabel('Title', { exact: true }).fill('Signal 2')
    const form = page.locator('form').filter({ has: page.getByLabel('Title', { exact: true }) })
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Signal 2', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('This channel is paused').waitFor()
    assert.deepEqual([(await read()).state, (await read()).title], ['paused', 'Signal 2'])
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    assert.equal((await read()).state, 'active')
  },
)

test('an admin whose change conflicts with another change sees both versions', chromium, async t => {
  const { channel, read } = await addChannel(t)
  const page = await openPage(channel.id)
  const title = page.getByLabel('Title', { exact: true })
  await title.fill('Mine')
  await olga.api.patch(`/channels/${channel.id}`, { title: 'Theirs' })
  await page.locator('form').filter({ has: title }).getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'Theirs' })
  await conflict.waitFor()
  assert.equal((await read()).title, 'Theirs')
  await conflict.getByRole('button').first().click()
  await until(async () => (await read()).title === 'Mine')
})

test('the inbox shows a ticket’s custom channel, and can filter by it', chromium, async t => {
  const program = await addChannel(t, { title: 'Signal', color: '#ffe600' })
  const { page, ticket } = await openTicket(program, { viewport: { width: 1440, height: 900 } })
  const row = page.getByRole('listitem').filter({ has: page.locator(`[data-ticket="${ticket.id}"]`) })
  await row.getByRole('img', { name: 'Signal' }).waitFor()
  await page.getByRole('link', { name: 'Signal', exact: true }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('button', { name: 'Add filter' }).click()
  for (const name of ['Channel', 'Telegram']) await page.getByRole('option', { name }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('option', { name: 'Signal' }).click()
  await row.waitFor()
})

test(
  'a reply waits for the program, can be sent again after a failure, and is delivered',
  chromium,
  async t => {
    const program = await addChannel(t)
    const { page } = await openTicket(program)
    await page.getByText('Goes to Person ann in Signal').waitFor()
    await reply(page, 'On Thursday')
    const [waiting] = await until(async () => {
      const items = await program.outgoing()
      return items.length > 0 && items
    })
    await page.getByText('Waiting for the program that connects Signal').waitFor()
    await program.report(waiting!.message.id, 'failed', { error: 'The number does not exist' })
    await page.getByText('Not sent: The number does not exist').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Waiting for the program that connects Signal').waitFor()
    await program.report(waiting!.message.id, 'delivered')
    await page.getByText('Delivered', { exact: true }).waitFor()
    await program.report(waiting!.message.id, 'read')
    await page.getByText('Read', { exact: true }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
  },
)

test(
  'the editor warns if the channel’s program is not running, or the channel is paused or was deleted',
  chromium,
  async t => {
    const program = await addChannel(t)
    const { page } = await openTicket(program, { colorScheme: 'dark', viewport: { width: 390, height: 800 } })
    await reply(page, 'On Thursday')
    await until(async () => (await program.outgoing()).length > 0)
    await makeLate(program.channel.id)
    await page.reload()
    await page.getByText('The program that connects Signal hasn’t sent replies since').waitFor()
    await olga.api.post(`/channels/${program.channel.id}/pause`)
    await page.reload()
    await page.getByText('Signal is paused. Replies wait until an admin resumes it.').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await olga.api.delete(`/channels/${program.channel.id}`)
    await page.reload()
    await page.getByText('The channel of this conversation was deleted.').waitFor()
    await page.getByText('Not sent: The channel was deleted').waitFor()
    await page.getByRole('img', { name: program.channel.name }).first().waitFor()
  },
)

test('the dialog for deleting a channel explains what happens to its tickets', chromium, async t => {
  const { channel } = await addChannel(t)
  const page = await openPage(channel.id, { colorScheme: 'dark', viewport: { width: 390, height: 800 } })
  await page.getByRole('button', { name: 'Delete channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Signal?' })
  await dialog.getByText('Replies in these tickets can no longer be sent.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('No custom channels yet').waitFor()
  assert.deepEqual((await olga.api.get('/channels')).body.items, [])
})

test(
  'operators see channels in the inbox but not their settings; another project sees no channels',
  chromium,
  async t => {
    const program = await addChannel(t)
    const { ticket } = await openTicket(program)
    const { server } = dashboard
    const omar = await joinProject(server, server.acme, { name: 'Omar' })
    const page = await dashboard.open(omar)
    await page.goto(inboxOf(`/${ticket.short_id}`))
    await page.getByText('Goes to Person ann in Signal').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Signal', exact: true }).count(), 0)
    const rita = await joinProject(server, server.rival, { role: 'owner' })
    const other = await dashboard.open(rita)
    await other.goto(`/p/${server.rival.id}/settings/channels`)
    await other.getByText('No custom channels yet').waitFor()
  },
)
