import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDkim } from '../../src/channels/email/dkim/dkim-keys.ts'
import { listAccessibilityViolations } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { openFileContext } from '../file-context.ts'
import { mailListen, openMailbox, startReceivingIn } from '../mail/receiving.ts'
import { startRelay } from '../mail/relay.ts'
import { sendThrough } from '../mail/sending.ts'
import { reply, type SinkScript } from '../mail/sink.ts'
import { needs } from '../needs.ts'

/** The test email and the signing keys on the page of a mailbox. */

const chromium = needs('chromium')
const context = openFileContext()
let receiving: Awaited<ReturnType<typeof startReceivingIn>>
const dashboard = useDashboard(
  async ({ server }) => {
    receiving = await startReceivingIn(server)
    context.after(() => receiving.stop())
  },
  { config: { mailListen } },
)

async function openPage(address: string, script: SinkScript = {}, options = {}, step = '') {
  const { server, olga } = dashboard
  const { id } = await openMailbox(receiving, address)
  await sendThrough(server, id, await startRelay(context, receiving, script))
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  await page.goto(`/p/${server.acme.id}/settings/mailboxes/${step}${id}`)
  return { id, page }
}

test('a test email is sent from the page of a mailbox, and its arrival is shown', chromium, async () => {
  const { page } = await openPage('proved@acme.example')
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText('The test email has arrived.').waitFor()
  const rows = page.getByRole('list', { name: 'Reply addresses' })
  await rows.getByText('Works', { exact: true }).waitFor()
  await rows.getByText('Result from mx.acme.example: SPF passed, DKIM not checked, DMARC failed').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test(
  'the last step of adding a mailbox shows the test email, and leads to the DNS records',
  chromium,
  async () => {
    const { id, page } = await openPage('added@acme.example', {}, {}, 'add?mailbox=')
    await page.getByText('Waiting for the email…').waitFor()
    await dashboard.olga.api.post(`/mailboxes/${id}/probe`)
    await page.reload()
    const result = page.getByRole('region', { name: 'Test email' })
    await result.getByText('The test email has arrived.').waitFor()
    await result.getByText(/It took \d+ s\./).waitFor()
    await result.getByText('Works', { exact: true }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByRole('link', { name: 'Check the DNS records' }).press('Enter')
    await page.locator('section:focus', { hasText: 'Sender checks' }).waitFor()
  },
)

test('the page says what to do if the mail server refuses plus addresses', chromium, async () => {
  const { page } = await openPage(
    'plain@acme.example',
    { onRecipient: to => (to.includes('+') ? reply(550, '5.1.1 No such user') : undefined) },
    { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  )
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText('The mail server said: 550 5.1.1 No such user').waitFor()
  await page.getByText('set recipient_delimiter = +').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test(
  'a signing key is created, and the page shows its record and whether it is published',
  chromium,
  async () => {
    const { server } = dashboard
    const { id, page } = await openPage('signed@acme.example')
    const keys = page.getByRole('list', { name: 'DKIM signing' })
    await page.getByRole('button', { name: 'Create a key' }).click()
    await keys.getByText('Not checked yet').waitFor()
    const record = await keys.getByLabel('Content of the record').first().inputValue()
    assert.match(record, /^v=DKIM1; k=rsa; p=MII/)
    const dns = { resolveTxt: async () => [[record]] } as never
    await checkDkim(server.db, server.acme.id, id, dns)
    await page.reload()
    await keys.getByText('Published', { exact: true }).waitFor()
    await keys.getByText('Replies are signed with this key.').waitFor()
    await page.getByRole('button', { name: 'Replace the key' }).click()
    await keys.getByText('Until this record is found, replies are signed with the other key.').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.getByRole('button', { name: 'Delete the keys' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the keys' }).click()
    await page.getByRole('button', { name: 'Create a key' }).waitFor()
  },
)
