import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations, pressItem } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { untilFormatted } from '../editor.ts'
import { openFileContext } from '../file-context.ts'
import { idOf } from '../mail/forwarding.ts'
import { mailListen, openMailbox, receive, startReceivingIn } from '../mail/receiving.ts'
import { sendMails, sendThrough } from '../mail/sending.ts'
import { type Sink, startSink } from '../mail/sink.ts'
import { writeMail } from '../mail/write-mail.ts'
import { needs } from '../needs.ts'

/** Forwards a message in the dashboard. */

const chromium = needs('chromium')
const support = 'support@acme.example'
const tom = 'tom@parts.example'
const eva = 'eva@parts.example'

const context = openFileContext()
let receiving: Awaited<ReturnType<typeof startReceivingIn>>
let sink: Sink
const dashboard = useDashboard(
  async ({ server }) => {
    receiving = await startReceivingIn(server)
    context.after(() => receiving.stop())
    const { id } = await openMailbox(receiving, support)
    sink = await startSink(context)
    await sendThrough(server, id, sink)
    sendMails(context, server)
  },
  { config: { mailListen } },
)

/** Opens the ticket of an email from Ann. */
async function openTicket(): Promise<Page> {
  const { server, olga } = dashboard
  const { raw } = writeMail({
    from: 'Ann Berger <ann@example.com>',
    subject: 'My lamp',
    text: 'It is dark.',
  })
  const { ticket_id } = await receive(receiving, support, raw)
  const { short_id } = (await server.api.get(`/tickets/${ticket_id}`)).body
  const page = await dashboard.open(olga, {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  await page.goto(`/p/${server.acme.id}/inbox/all/${short_id}`)
  return page
}

test(
  'a message is forwarded from its menu, and the note and the reply to it appear in the ticket',
  chromium,
  async () => {
    const page = await openTicket()
    const message = page.getByRole('article', { name: /^Ann Berger/ })
    await message.getByRole('button', { name: 'More actions' }).press('Enter')
    await pressItem(page.getByRole('menuitem', { name: 'Forward…' }))
    const dialog = page.getByRole('dialog', { name: 'Forward message' })
    const to = dialog.getByRole('combobox', { name: 'To' })
    const send = dialog.getByRole('button', { name: 'Forward', exact: true })
    // The field with formatting has another height, and moves the button below it.
    const field = await untilFormatted(dialog.getByRole('textbox', { name: 'Your message' }))
    await send.click()
    await dialog.getByText('Add a recipient.').waitFor()
    await to.fill('tom')
    await send.click()
    await dialog.getByText('“tom” isn’t an email address.').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await to.fill(tom)
    await to.press('Enter')
    await dialog.getByRole('button', { name: 'Add Cc' }).press('Enter')
    await dialog.getByRole('combobox', { name: 'Cc' }).fill(eva)
    await dialog.getByRole('combobox', { name: 'Cc' }).press('Enter')
    await field.pressSequentially('Can you *repair* it?')
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('log').getByText('Forwarded message from Ann Berger').waitFor()
    await page.getByRole('list', { name: 'Recipients' }).getByText(`${tom}: sent`).waitFor()
    assert.deepEqual(sink.mails.at(-1)!.to, [tom, eva])
    const answer = writeMail({
      from: `Tom <${tom}>`,
      answers: idOf(sink.mails.at(-1)!),
      text: 'Yes, we can.',
    })
    await receive(receiving, support, answer.raw)
    const note = page.getByRole('article', { name: /^Tom,/ })
    await note.getByText('Internal note').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
  },
)
