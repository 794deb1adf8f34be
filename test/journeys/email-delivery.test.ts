import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMessageId } from '../../src/mail/tokens.ts'
import { listAccessibilityViolations } from '../browser.ts'
import { makeMessage } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { openFileContext } from '../file-context.ts'
import { writeDsn } from '../mail/delivery-reports.ts'
import { mailListen, openMailbox, receive, startReceivingIn } from '../mail/receiving.ts'
import { sendMails, sendThrough, waitForDelivery } from '../mail/sending.ts'
import { type Sink, startSink } from '../mail/sink.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'

/** What the dashboard shows of the delivery of sent emails. */

const chromium = needs('chromium')
const support = 'support@acme.example'
const ben = 'ben@example.com'

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

/** An open ticket with a message that was sent to these addresses. */
async function openSent(to: string[]) {
  const { server, olga } = dashboard
  const { ticket_id } = await receive(receiving, support, makeMail('Lamp', 'It is broken.'))
  const { id } = await makeMessage(server.api, ticket_id!, {
    content: 'A new one is on its way',
    email: { to },
  })
  await waitForDelivery(server, id)
  const returned = `Message-ID: <${makeMessageId(server.vault.derive('mail'), id, 'acme.example')}>`
  const { short_id } = (await server.api.get(`/tickets/${ticket_id}`)).body
  const page = await dashboard.open(olga, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  await page.goto(`/p/${server.acme.id}/inbox/all/${short_id}`)
  const bounce = (address: string) =>
    receive(receiving, support, writeDsn({ to: support, returned }, [{ address }]))
  return { id, page, bounce, recipients: page.getByRole('list', { name: 'Recipients' }) }
}

test('a bounce appears at its recipient in an open ticket, with the reason on focus', chromium, async () => {
  const { page, bounce, recipients } = await openSent(['ann@example.com', ben])
  await recipients.getByText('ann@example.com: sent').waitFor()
  await recipients.getByText(`${ben}: sent`).waitFor()
  await bounce(ben)
  const chip = recipients.getByRole('button', { name: `${ben}: not delivered. 550 5.1.1 No such user` })
  await chip.waitFor()
  const words = `The email to ${ben} could not be delivered: 550 5.1.1 No such user`
  // The row of the ticket may show it too, a moment later.
  await page.getByRole('log').getByText(words).waitFor()
  await page.getByRole('button', { name: 'Send again to those who didn’t get it' }).waitFor()
  await chip.focus()
  await page.getByRole('tooltip', { name: '550 5.1.1 No such user' }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test('a message that reached nobody can be sent again', chromium, async () => {
  const { id, page, bounce, recipients } = await openSent([ben])
  await bounce(ben)
  await page.getByText('Not sent: 550 5.1.1 No such user').waitFor()
  const { mails } = sink
  const count = mails.length
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await recipients.getByText(`${ben}: sent`).waitFor()
  await page.getByText('Not sent').waitFor({ state: 'detached' })
  assert.equal((await waitForDelivery(dashboard.server, id)).status, 'sent')
  assert.deepEqual([mails.length, mails.at(-1)!.to], [count + 1, [ben]])
})

test(
  'a message that reached nobody can be sent again with other recipients and words',
  chromium,
  async () => {
    const { page, bounce } = await openSent([ben])
    await dashboard.olga.api.patch('/inbox-settings', {
      undo_seconds: { widget: 0, email: 0, api: 0, telegram: 0, other: 0 },
    })
    await bounce(ben)
    await page.getByRole('button', { name: 'Edit and send again' }).press('Enter')
    await page.keyboard.type(' today')
    const composer = page.getByRole('region', { name: 'Reply' })
    await composer.getByText(`To ${ben}`).waitFor()
    await page.getByRole('button', { name: 'Edit recipients' }).press('Enter')
    await composer.getByRole('combobox', { name: 'To' }).press('Backspace')
    await page.keyboard.type('carl@example.com,')
    await composer.getByRole('textbox', { name: 'Reply' }).press('Control+Enter')
    await page.getByText('carl@example.com: sent').waitFor()
    const { to, raw } = sink.mails.at(-1)!
    assert.deepEqual(to, ['carl@example.com'])
    assert.match(raw, /A new one is on its way today/)
  },
)

test('an email with an unknown outcome is shown as one that may have arrived', chromium, async () => {
  const { id, page } = await openSent([ben])
  await dashboard.server.db`update messages set delivery_error = 'outcome_unknown' where id = ${id}`
  await page.reload()
  await page.getByText('Sent: It may have arrived.').waitFor()
})
