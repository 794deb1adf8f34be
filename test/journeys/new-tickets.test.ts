import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { listAccessibilityViolations, listSmallTargets, untilHolds, untilIn } from '../browser.ts'
import { makeContact, makeDepartment, makeTicket, unique } from '../cast.ts'
import { makeChannel, type Program } from '../custom-channel.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

/** Creating tickets and contacts in the dashboard, by keyboard alone. */

const chromium = needs('chromium')
let program: Program
const dashboard = useDashboard(async ({ server, olga }) => {
  await makeContact(server.api, { email: 'dan@example.com', full_name: 'Dan Dorn', phone: '+49 30 555111' })
  await makeDepartment(server.db, server.acme, 'Sales')
  await joinProject(server, server.acme, { name: 'Omar' })
  await olga.api.post('/custom-fields', { record: 'ticket', key: 'order', label: 'Order', type: 'text' })
  program = await makeChannel(olga.api, server.api)
  await server.db`insert into mailboxes (project_id, id, address, incoming, sending)
    values (${server.acme.id}, gen_random_uuid(), 'support@acme.example', 'listen', 'installation')`
})

type Look = BrowserContextOptions & { dir?: 'rtl' }

async function openPage(path: string, { dir, ...options }: Look = {}): Promise<Page> {
  const viewport = { width: 1280, height: 900 }
  const page = await dashboard.open(dashboard.olga, { viewport, reducedMotion: 'reduce', ...options })
  if (dir) await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  return page
}

async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

const dialogOf = (page: Page, name = 'New ticket') => page.getByRole('dialog', { name })

async function openDialog(page: Page, keys = 'n t', name = 'New ticket') {
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await press(page, keys)
  // Until a field has the focus, Tab and letters belong to the page behind the dialog.
  await dialogOf(page, name).locator(':focus').waitFor({ state: 'attached' })
  return dialogOf(page, name)
}

const focusedLabel = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? ''`,
  )

async function tabToLabel(page: Page, label: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focusedLabel(page)).startsWith(label)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${label}`)
}

async function chooseContact(page: Page, words: string, name: string): Promise<void> {
  await tabToLabel(page, 'Contact')
  await page.keyboard.type(words)
  await page.locator('[data-combobox-selected]', { hasText: name }).waitFor()
  await page.keyboard.press('Enter')
}

/** Some channels are offered only once the mailboxes and the custom channels are loaded. */
async function chooseChannel(page: Page, name: string): Promise<void> {
  await dialogOf(page).locator('option', { hasText: name }).first().waitFor({ state: 'attached' })
  await tabToLabel(page, 'Channel')
  await page.keyboard.type(name)
}

const newestTicket = async () => {
  const { body } = await dashboard.server.api.get('/tickets?page_size=1')
  const [ticket] = body.items
  const messages = (await dashboard.server.api.get(`/tickets/${ticket.id}/messages`)).body.items
  return { ticket, messages }
}

test(
  'in a ticket for a caller, the contact is found as you type, and the ticket then opens',
  chromium,
  async () => {
    const page = await openPage('inbox/open')
    const dialog = await openDialog(page)
    await chooseContact(page, '555111', 'Dan Dorn')
    await dialog.getByText('Dan Dorn', { exact: true }).waitFor()
    await tabToLabel(page, 'Message')
    await press(page, 'ArrowRight')
    await press(page, 'ArrowLeft')
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await tabTo(page, 'Message', 'textbox')
    await page.keyboard.type('My **lamp** is broken.')
    await tabToLabel(page, 'Department')
    await page.keyboard.type('Sales')
    await tabToLabel(page, 'Priority')
    await page.keyboard.type('High')
    await tabToLabel(page, 'Tags')
    await page.keyboard.type('lamps')
    await press(page, 'Enter')
    await tabToLabel(page, 'Order')
    await page.keyboard.type('A-17')
    await tabTo(page, 'Create ticket', 'button')
    await press(page, 'Enter')
    await page.getByText('Logged by Olga').waitFor()
    const { ticket, messages } = await newestTicket()
    assert.match(page.url(), new RegExp(`/inbox/open/${ticket.short_id}$`))
    assert.partialDeepStrictEqual(ticket, {
      ...{ channel: 'phone', contact: { full_name: 'Dan Dorn' }, department_name: 'Sales', priority: 'high' },
      ...{ tags: ['lamps'], custom_fields: { order: 'A-17' }, operator: { name: 'Olga' } },
    })
    assert.equal(messages[0].sender_type, 'contact')
  },
)

test('a ticket with only a note can be created together with a new contact', chromium, async () => {
  const page = await openPage('inbox/open')
  const dialog = await openDialog(page)
  await chooseContact(page, 'Eve Stone', 'New contact “Eve Stone”')
  await until(async () => (await focusedLabel(page)) === 'Name')
  await tabToLabel(page, 'Phone')
  await page.keyboard.type('+49 30 999000')
  await chooseChannel(page, 'Walk')
  await tabToLabel(page, 'What the contact said')
  await press(page, 'ArrowRight')
  await tabTo(page, 'Internal note', 'textbox')
  await page.keyboard.type('Wants a refund.')
  await press(page, 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Wants a refund.').first().waitFor()
  const { ticket, messages } = await newestTicket()
  assert.partialDeepStrictEqual(ticket, {
    ...{ channel: 'walk_in', contact: { full_name: 'Eve Stone', phone: '+49 30 999000' } },
  })
  assert.partialDeepStrictEqual(messages, [{ is_internal: true, sender_type: 'operator' }])
})

test('a contact with the same address is shown before a duplicate is created', chromium, async () => {
  const page = await openPage('contacts')
  const dialog = await openDialog(page, 'n c', 'New contact')
  await until(async () => (await focusedLabel(page)) === 'Name')
  await page.keyboard.type('Daniel')
  await tabToLabel(page, 'Email')
  await page.keyboard.type('DAN@example.com')
  await dialog.getByText('Dan Dorn has this email address.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await tabTo(page, 'Use this contact: Dan Dorn', 'button')
  await press(page, 'Enter')
  await page.getByRole('heading', { name: 'Dan Dorn' }).waitFor({ state: 'attached' })
})

test(
  'a contact can be created from the command bar, and a ticket for them from their page',
  chromium,
  async () => {
    const page = await openPage('inbox/open')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await press(page, 'Control+K')
    await page.keyboard.type('new contact')
    await page.locator('[data-combobox-selected]', { hasText: 'New contact' }).waitFor()
    await press(page, 'Enter')
    await dialogOf(page, 'New contact').waitFor()
    await until(async () => (await focusedLabel(page)) === 'Name')
    await press(page, 'Enter')
    await page.getByText('Add a name, an email address or a phone number.').waitFor()
    const name = `Faye ${unique()}`
    await page.keyboard.type(name)
    await press(page, 'Enter')
    await page.getByRole('heading', { name }).waitFor({ state: 'attached' })
    const dialog = await openDialog(page)
    await dialog.getByText(name).waitFor()
    await tabToLabel(page, 'Subject')
    await page.keyboard.type('Call back')
    await tabTo(page, 'Create ticket', 'button')
    await press(page, 'Enter')
    await dialog.waitFor({ state: 'detached' })
    const { ticket } = await newestTicket()
    assert.partialDeepStrictEqual(ticket, { subject: 'Call back', contact: { full_name: name } })
  },
)

test('the draft survives closing the dialog and a reload, and can be discarded', chromium, async () => {
  const page = await openPage('inbox/open')
  await openDialog(page)
  await chooseContact(page, 'dan@', 'Dan Dorn')
  await tabToLabel(page, 'Subject')
  await page.keyboard.type('Half a ticket')
  await tabTo(page, 'Message', 'textbox')
  await page.keyboard.type('Half a message')
  await press(page, 'Escape')
  await press(page, 'Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.reload()
  const dialog = await openDialog(page)
  await dialog.getByText('Dan Dorn', { exact: true }).waitFor()
  assert.equal(await dialog.getByLabel('Subject').inputValue(), 'Half a ticket')
  await untilHolds(dialog.getByRole('textbox', { name: 'Message' }), 'Half a message')
  await tabTo(page, 'Discard draft', 'button')
  await press(page, 'Enter')
  await dialog.getByPlaceholder('Name, email, phone or ID').waitFor()
  await untilHolds(dialog.getByLabel('Subject'), '')
  await untilHolds(dialog.getByRole('textbox', { name: 'Message' }), '')
})

test('a message in a custom channel can be sent to a contact who has written there', chromium, async () => {
  const { body } = await program.post('u-7', 'Hello')
  const page = await openPage(`contacts/${body.sender_id}`)
  await openDialog(page)
  await chooseChannel(page, 'Signal')
  await page.getByText('The message is sent to the contact.').waitFor()
  await tabTo(page, 'Message', 'textbox')
  await page.keyboard.type('Your parcel is here.')
  await press(page, 'Control+Enter')
  await until(async () =>
    (await program.outgoing()).some(({ message }) => message.content === 'Your parcel is here.'),
  )
})

test(
  'an email to a contact needs an address, is sent from the mailbox and opens the ticket',
  chromium,
  async () => {
    const page = await openPage('inbox/open')
    const dialog = await openDialog(page)
    await chooseContact(page, 'Guy Nomail', 'New contact “Guy Nomail”')
    await until(async () => (await focusedLabel(page)) === 'Name')
    await chooseChannel(page, 'Email')
    await tabTo(page, 'Message', 'textbox')
    await page.keyboard.type('Your lamp has arrived.')
    await press(page, 'Control+Enter')
    await dialog.getByText('This contact has no email address.').waitFor()
    const address = `${unique()}@example.com`
    await dialog.getByLabel('Email', { exact: true }).fill(address)
    await tabTo(page, 'Send', 'button')
    await press(page, 'Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Your lamp has arrived.').first().waitFor()
    const { ticket, messages } = await newestTicket()
    assert.partialDeepStrictEqual(ticket, {
      channel: 'email',
      status: 'pending',
      contact: { email: address },
    })
    assert.partialDeepStrictEqual(messages[0].email, { from: 'support@acme.example', to: [address] })
  },
)

test('while a ticket is open, N N writes a note, and N T creates a ticket', chromium, async () => {
  const { short_id } = await makeTicket(dashboard.server.api, { content: 'Hello' })
  const page = await openPage(`inbox/open/${short_id}`)
  await page.getByRole('textbox', { name: 'Reply' }).waitFor()
  await press(page, 'n n')
  await until(async () => (await focusedLabel(page)) === 'Internal note')
  await press(page, 'Escape')
  await openDialog(page)
})

for (const look of [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 }, dir: 'rtl' },
] as const)
  test(
    `the dialogs are accessible and fit: ${look.colorScheme}, ${look.viewport.width} px${'dir' in look ? ', right to left' : ''}`,
    chromium,
    async () => {
      const page = await openPage('inbox/open', look)
      const dialog = await openDialog(page)
      const check = async () => {
        assert.deepEqual(await listAccessibilityViolations(page), [])
        assert.deepEqual(await listSmallTargets(page), [])
        await untilIn(page, 'document.documentElement.scrollWidth <= innerWidth')
      }
      await check()
      const create = (await dialog.getByRole('button', { name: 'Create ticket' }).boundingBox())!
      assert.ok(create.y + create.height <= look.viewport.height, 'the button is seen without scrolling')
      await page.keyboard.type('Dan Dorn')
      await page.locator('[data-combobox-selected]', { hasText: 'Dan Dorn' }).waitFor()
      await check()
      await press(page, 'ArrowDown')
      await press(page, 'Enter')
      await dialog.getByText('Dan Dorn has the same name.').waitFor()
      await check()
      await dialog.getByRole('button', { name: 'Create ticket' }).press('Enter')
      await page.getByText('Add a subject or a message.').waitFor()
      await check()
      await press(page, 'Escape')
      await openDialog(page, 'n c', 'New contact')
      await check()
    },
  )
