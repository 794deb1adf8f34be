import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { holdBack, listAccessibilityViolations, listSmallTargets, untilDrawn, untilIn } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted, wordsIn } from '../editor.ts'
import { openFileContext } from '../file-context.ts'
import { mailListen, openMailbox, receive, startReceivingIn } from '../mail/receiving.ts'
import { sendMails, sendThrough } from '../mail/sending.ts'
import { type Sink, startSink } from '../mail/sink.ts'
import { writeMail } from '../mail/write-mail.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'

/** Choosing the recipients of an email in the dashboard by keyboard. */

const chromium = needs('chromium')
const support = 'support@acme.example'
const sales = 'sales@acme.example'

const undoOf = (email: number) => ({ widget: 0, email, api: 0, telegram: 0, other: 0 })

const context = openFileContext()
let receiving: Awaited<ReturnType<typeof startReceivingIn>>
let sink: Sink
const dashboard = useDashboard(
  async ({ server, olga }) => {
    receiving = await startReceivingIn(server)
    context.after(() => receiving.stop())
    sink = await startSink(context)
    for (const [address, name] of [
      [support, 'Acme'],
      [sales, 'Acme Sales'],
    ] as const) {
      const { id } = await openMailbox(receiving, address, { name })
      await sendThrough(server, id, sink)
    }
    sendMails(context, server)
    await olga.api.patch('/inbox-settings', { undo_seconds: undoOf(0) })
    await server.api.post('/contacts', { email: 'dan@example.com', full_name: 'Dan Dorn' })
  },
  { config: { mailListen } },
)

type Look = BrowserContextOptions & { dir?: 'rtl' | undefined }

/** Opens the ticket of an email from Ann with Ben in Cc. */
async function openTicket(options: Look = {}): Promise<Page> {
  const { raw } = writeMail({ from: 'Ann Lee <ann@example.com>', cc: 'ben@example.com' })
  const { ticket_id } = await receive(receiving, support, raw)
  return openPage(
    `inbox/open/${(await dashboard.server.api.get(`/tickets/${ticket_id}`)).body.short_id}`,
    options,
  )
}

async function openPage(path: string, { dir, ...options }: Look = {}) {
  const viewport = { width: 1280, height: 900 }
  const page = await dashboard.open(dashboard.olga, { viewport, reducedMotion: 'reduce', ...options })
  if (dir) await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  return page
}

const editOf = (page: Page) => page.getByRole('button', { name: 'Edit recipients' })
/** Excludes the list of suggestions, which has the same name. */
const fieldOf = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).and(page.locator('input, select'))

const untilFocused = (page: Page, name: string) =>
  until(() =>
    fieldOf(page, name).evaluate((one: { matches(selector: string): boolean }) => one.matches(':focus')),
  )

const sentWith = (words: string) => until(() => sink.mails.find(({ raw }) => raw.includes(words)))

test(
  'the recipients of a reply are shown in one line, and can be changed by keyboard',
  chromium,
  async () => {
    const page = await openTicket()
    const composer = page.getByRole('region', { name: 'Reply' })
    await composer.getByText('To Ann Lee · Cc ben@example.com').waitFor()
    await page.keyboard.press('Shift+R')
    await untilFocused(page, 'To')
    await page.keyboard.press('Tab')
    await untilFocused(page, 'Cc')
    await page.keyboard.press('Backspace')
    await composer.getByText('ben@example.com').waitFor({ state: 'detached' })
    await page.keyboard.type('Carla <carla@example.com>')
    await page.keyboard.press('Enter')
    await composer.getByText('carla@example.com').waitFor()
    await page.getByRole('button', { name: 'Add Bcc' }).press('Enter')
    await untilFocused(page, 'Bcc')
    await page.keyboard.type('nobody,')
    await composer.getByText('“nobody” isn’t an email address.').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(support)
    await page.keyboard.press('Enter')
    await composer.getByText(`Remove ${support}. You can’t send email to your own mailboxes.`).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Backspace')
    await page.keyboard.type('dorn')
    // Until the search for all letters has ended, Enter adds the letters themselves.
    const dan = page.getByRole('option', { name: 'Dan Dorn' })
    await dan.and(page.locator('[data-combobox-selected]')).waitFor()
    await page.keyboard.press('Enter')
    await composer.getByText('dan@example.com').waitFor()
    await fieldOf(page, 'Subject').fill('Your new lamp')
    await page.keyboard.press('Escape')
    await composer.getByText('To Ann Lee · Cc carla@example.com · Bcc Dan Dorn').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('A new one is on its way')
    await page.keyboard.press('Control+Enter')
    const mail = await sentWith('A new one is on its way')
    assert.deepEqual(mail.to.toSorted(), ['ann@example.com', 'carla@example.com', 'dan@example.com'])
    assert.match(mail.raw, /^Subject: Your new lamp$/m)
    assert.doesNotMatch(mail.raw, /dan@example/)
    await composer.getByText('To Ann Lee · Cc ben@example.com').waitFor()
  },
)

test('a reply is sent from the chosen mailbox, and a refusal is shown at the field', chromium, async () => {
  const page = await openTicket()
  const from = fieldOf(page, 'From')
  await editOf(page).press('Enter')
  await from.selectOption({ label: `Acme Sales <${sales}>` })
  const { db } = dashboard.server
  await db`update mailboxes set sending = 'none' where address = ${sales}`
  await page.getByRole('button', { name: 'Done editing recipients' }).press('Enter')
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Our sales team answers')
  await reply.press('Control+Enter')
  await page.getByText('This mailbox doesn’t send email. Choose another.').waitFor()
  await untilFocused(page, 'From')
  await db`update mailboxes set sending = 'smtp' where address = ${sales}`
  await reply.press('Control+Enter')
  assert.equal((await sentWith('Our sales team answers')).from, sales)
})

test('a note has no recipients, and undoing a reply restores its recipients', chromium, async () => {
  const { olga } = dashboard
  await olga.api.patch('/inbox-settings', { undo_seconds: undoOf(30) })
  const page = await openTicket()
  await editOf(page).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await editOf(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await editOf(page).press('Enter')
  await untilFocused(page, 'To')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('dan@example.com')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.fill('For Dan')
  await reply.press('Control+Enter')
  await page.getByText('To Ann Lee').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('To Dan Dorn · Cc ben@example.com').waitFor()
  await olga.api.patch('/inbox-settings', { undo_seconds: undoOf(0) })
})

test('an address whose emails bounced has a warning', chromium, async () => {
  const { db } = dashboard.server
  await db`update contact_identities set is_undeliverable = true where value = 'dan@example.com'`
  const page = await openTicket()
  await editOf(page).press('Enter')
  await untilFocused(page, 'To')
  await page.keyboard.type('dan@example.com,')
  const words = 'Earlier emails to dan@example.com couldn’t be delivered.'
  await page.getByRole('status').getByText(words).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByText(words).waitFor()
  await db`update contact_identities set is_undeliverable = false where value = 'dan@example.com'`
})

test('a new email can be sent by keyboard, and its ticket opens', chromium, async () => {
  const page = await openPage('inbox/open')
  await page.getByRole('button', { name: 'New email' }).waitFor()
  await page.keyboard.press('Shift+N')
  const dialog = page.getByRole('dialog', { name: 'New email' })
  await untilFocused(page, 'To')
  await page.keyboard.type('eva@example.com,')
  await dialog.getByRole('button', { name: 'Add Cc' }).press('Enter')
  await untilFocused(page, 'Cc')
  await page.keyboard.type('dan@example.com')
  await page.keyboard.press('Tab')
  await dialog.getByRole('textbox', { name: 'Message' }).pressSequentially('It is *here*.')
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Enter a subject.').waitFor()
  await untilFocused(page, 'Subject')
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.type('Your order')
  await dialog.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Your order' }).waitFor()
  const recipients = page.getByRole('list', { name: 'Recipients' })
  await recipients.getByText('eva@example.com: sent').waitFor()
  await recipients.getByText('dan@example.com: sent').waitFor()
  const { from, to } = await sentWith('Subject: Your order')
  assert.deepEqual([from, to], [support, ['eva@example.com', 'dan@example.com']])
  await page.keyboard.press('Shift+N')
  await untilFocused(page, 'To')
  assert.equal(await dialog.getByText('eva@example.com').count(), 0)
})

test('a new email that is sent while its conversation is loading is shown as sent', chromium, async () => {
  const { db } = dashboard.server
  const page = await openPage('inbox/open')
  await page.getByRole('button', { name: 'New email' }).click()
  const dialog = page.getByRole('dialog', { name: 'New email' })
  await untilFocused(page, 'To')
  await page.keyboard.type('finn@example.com,')
  await fieldOf(page, 'Subject').fill('Sent at once')
  const { answered, release } = await holdBack(page, 'GET', /\/tickets\/\d+\/messages\?/)
  await db`update mailboxes set send_backoff_until = now() + interval '1 hour'`
  await dialog.getByRole('textbox', { name: 'Message' }).fill('It is here.')
  await dialog.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await answered
  await db`update mailboxes set send_backoff_until = null`
  await until(async () => {
    // A look that began during the pause may put the email off again.
    await db`update due_work set due_at = now() where kind = 'outgoing' and due_at > now()`
    const { count } = await db`
      select from mail_recipients where address = 'finn@example.com' and status = 'sent'`
    return count > 0
  })
  await untilDrawn(page)
  release()
  await page.getByRole('list', { name: 'Recipients' }).getByText('finn@example.com: sent').waitFor()
})

test('an email to a contact has a canned reply, and can be undone in its ticket', chromium, async () => {
  const { olga, server } = dashboard
  const content = 'Hi {{contact.first_name|there}}'
  await olga.api.post('/canned-answers', { shortcut: 'hello', title: 'Hello', content })
  await olga.api.patch('/inbox-settings', { undo_seconds: undoOf(30) })
  const dan = (await server.api.post('/contacts', { email: 'dan@example.com' })).body
  const page = await openPage(`contacts/${dan.id}`)
  await page.getByRole('button', { name: 'Send email' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New email' })
  await dialog.getByText('dan@example.com').waitFor()
  await fieldOf(page, 'Subject').fill('A question')
  const message = await untilFormatted(dialog.getByRole('textbox', { name: 'Message' }))
  await message.focus()
  await page.keyboard.type('/hello')
  await page.getByRole('option', { name: 'Hello' }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Enter')
  await until(async () => (await wordsIn(message)) === 'Hi Dan')
  await message.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'A question' }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await page.getByText('To Dan Dorn').waitFor()
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await until(async () => (await wordsIn(reply)) === 'Hi Dan')
  await olga.api.patch('/inbox-settings', { undo_seconds: undoOf(0) })
  await page.keyboard.press('r')
  await page.keyboard.type(', are you there?')
  await page.keyboard.press('Control+Enter')
  const { to, raw } = await sentWith('Hi Dan, are you there?')
  assert.deepEqual(to, ['dan@example.com'])
  assert.match(raw, /^Subject: A question\r?$/m)
})

for (const [colorScheme, width, dir] of [
  ['light', 1280, undefined],
  ['dark', 390, undefined],
  ['light', 390, 'rtl'],
] as const)
  test(`the fields of an email fit at ${width} px, ${colorScheme}, ${dir ?? 'ltr'}`, chromium, async () => {
    const page = await openTicket({ colorScheme, viewport: { width, height: 844 }, dir })
    const check = async (name: string) => {
      assert.deepEqual(await listAccessibilityViolations(page), [], name)
      assert.deepEqual(await listSmallTargets(page), [], name)
      await untilIn(page, `document.documentElement.scrollWidth <= ${width}`)
    }
    await page.getByText('To Ann Lee').waitFor()
    await check('closed')
    await editOf(page).press('Enter')
    await page.getByRole('button', { name: 'Add Bcc' }).press('Enter')
    await check('opened')
    await page.keyboard.press('Escape')
    // The key works once its button is loaded, which is not shown on a phone.
    const button = page.getByRole('button', { name: 'New email', includeHidden: true })
    await button.waitFor({ state: 'attached' })
    await page.keyboard.press('Shift+N')
    await page.getByRole('dialog', { name: 'New email' }).waitFor()
    await check('new')
  })
