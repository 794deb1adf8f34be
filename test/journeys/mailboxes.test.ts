import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { startDovecot } from '../dovecot.ts'
import { startReceivingIn } from '../mail/receiving.ts'
import { fetchMails, makeMail } from '../mail.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { startSubmission } from '../submission.ts'
import { until } from '../until.ts'

const dashboard = useDashboard()
const { olga } = dashboard

test('adds a mailbox after its connection works, and reports each wrong setting', {
  skip: needs('chromium').skip || needs('dovecot').skip,
}, async t => {
  const { server } = dashboard
  const dovecot = await startDovecot(t, { users: { support: 'secret' } })
  const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
  await page.goto(`/p/${server.acme.id}/settings/mailboxes/add`)
  await page.getByLabel('Email address').fill('support@shop.invalid')
  await page.keyboard.press('Enter')
  await page.locator('section:focus', { has: page.getByLabel('Host') }).waitFor()
  await page.getByLabel('Host').fill('127.0.0.1')
  await page.getByRole('combobox', { name: 'Encryption', exact: true }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByLabel('Port', { exact: true }).fill(String(dovecot.lmtpPort))
  await page.getByLabel('User name').fill('support')
  await page.getByRole('textbox', { name: 'Password' }).fill('mistyped')
  await chooseSending(page, 'Not at all')
  const connect = page.getByRole('button', { name: 'Test and add' })
  await connect.click()
  await page.getByText(`does not offer IMAP on port ${dovecot.lmtpPort}`).waitFor()
  await page.getByLabel('Port', { exact: true }).fill(String(dovecot.imapPort))
  await connect.click()
  await page.getByText('rejected the login for support').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.deepEqual((await olga.api.get('/mailboxes')).body.items, [])
  await page.getByRole('textbox', { name: 'Password' }).fill('secret')
  await connect.click()
  await page.locator('section:focus', { hasText: 'Waiting for the email…' }).waitFor()
  assert.equal((await olga.api.get('/mailboxes')).body.items.length, 1)
  const receiving = await startReceivingIn(server)
  t.after(receiving.stop)
  fetchMails(t, server)
  await until(async () => (await olga.api.get('/mailboxes')).body.items[0].last_ok_at)
  await dovecot.deliver('support', makeMail('Where is my order?'))
  await page.getByText('“Where is my order?” from').waitFor()
  await page.getByRole('link', { name: 'Open the ticket' }).click()
  await page.getByRole('heading', { name: 'Where is my order?' }).waitFor()
})

async function chooseSending(page: Page, way: string): Promise<void> {
  await page.getByRole('combobox', { name: 'How replies are sent' }).click()
  await page.getByRole('option', { name: way }).click()
}

test('adds a mailbox that sends after both logins work, and reports each wrong setting for sending', {
  skip: needs('chromium').skip || needs('dovecot').skip,
}, async t => {
  const { server } = dashboard
  const dovecot = await startDovecot(t, { users: { sales: 'secret' } })
  const submission = await startSubmission(t, { users: { sales: 'secret', ann: 'own' } })
  const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
  await page.goto(`/p/${server.acme.id}/settings/mailboxes/add`)
  await page.getByLabel('Email address').fill('sales@shop.invalid')
  await page.keyboard.press('Enter')
  await page.getByLabel('Host').fill('127.0.0.1')
  await page.getByRole('combobox', { name: 'Encryption', exact: true }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByLabel('Port', { exact: true }).fill(String(dovecot.imapPort))
  await page.getByLabel('User name').fill('sales')
  await page.getByRole('textbox', { name: 'Password' }).fill('secret')
  const connect = page.getByRole('button', { name: 'Test and add' })
  await connect.click()
  await page.getByText('Enter the SMTP server, or choose another way to send.').waitFor()
  await page.getByLabel('SMTP server').fill('127.0.0.1')
  await page.getByLabel('SMTP port').fill(String(submission.port))
  await connect.click()
  await page.getByText(`does not offer SMTP on port ${submission.port}`).waitFor()
  await page.getByRole('combobox', { name: 'SMTP encryption' }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByRole('combobox', { name: 'Login for sending' }).click()
  await page.getByRole('option', { name: 'Another user name' }).click()
  await page.getByLabel('SMTP user name').fill('ann')
  await page.getByRole('textbox', { name: 'SMTP password' }).fill('mistyped')
  await connect.click()
  await page.getByText('rejected the login for ann').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('combobox', { name: 'Login for sending' }).click()
  await page.getByRole('option', { name: 'The same as for fetching' }).click()
  await connect.click()
  await page.getByText('Waiting for the email…').waitFor()
  assert.equal(submission.logins.at(-1), 'PLAIN sales secret')
})

test('the page of a mailbox changes how it sends, and shows why it cannot send', {
  skip: needs('chromium').skip,
}, async t => {
  const { server } = dashboard
  const imap = { host: 'imap.example.com', user: 'replies', password: 'secret' }
  const { body } = await olga.api.post('/mailboxes', {
    ...{ address: 'replies@shop.invalid', incoming: 'imap', imap },
    ...{ sending: 'smtp', smtp: { host: 'smtp.example.com' } },
  })
  t.after(() => olga.api.delete(`/mailboxes/${body.id}`))
  const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
  await page.goto(`/p/${server.acme.id}/settings/mailboxes/${body.id}`)
  await page.getByLabel('Signature').fill('The sales team')
  await page.getByRole('combobox', { name: 'Earlier messages in a reply' }).click()
  await page.getByRole('option', { name: 'The whole conversation' }).click()
  const sending = page.locator('form').filter({ has: page.getByLabel('Signature') })
  // From before the click, because this message disappears after four seconds.
  await Promise.all([
    page.getByText('Saved', { exact: true }).waitFor(),
    sending.getByRole('button', { name: 'Save' }).click(),
  ])
  assert.deepEqual(await listAccessibilityViolations(page), [])
  const { body: saved } = await olga.api.get(`/mailboxes/${body.id}`)
  assert.deepEqual([saved.signature, saved.history, saved.smtp], ['The sales team', 'all', body.smtp])
  const error = {
    ...{ code: 'smtp_disabled', at: '2026-01-01T00:00:00.000000' },
    values: { host: 'smtp.example.com', user: 'replies' },
  }
  await server.db`update mailboxes set send_error = ${server.db.json(error)} where id = ${body.id}`
  await page.reload()
  await page.getByText('Replies from replies@shop.invalid aren’t being sent.').waitFor()
  await page.getByText('Turn on authenticated SMTP for this mailbox').waitFor()
})

test('a banner tells the team that email is not arriving, and leads admins to the problem', {
  skip: needs('chromium').skip,
}, async () => {
  const { server } = dashboard
  const imap = { host: 'imap.example.com', user: 'help', password: 'secret' }
  const { body } = await olga.api.post('/mailboxes', { address: 'help@shop.invalid', incoming: 'imap', imap })
  await server.db`
    update mailboxes set state = 'broken', failing_since = now(),
      last_error = '{"code":"access_revoked","values":{},"at":"2026-01-01T00:00:00.000000"}' where id = ${body.id}`
  const words = 'New email to help@shop.invalid isn’t arriving.'
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  const inbox = `/p/${server.acme.id}/inbox/open`
  const operators = await dashboard.open(omar)
  await operators.goto(inbox)
  await operators.getByText(`${words} Ask an admin of this project to check the mailbox settings.`).waitFor()
  assert.equal(await operators.getByRole('button', { name: 'See the problem' }).count(), 0)
  const viewport = { width: 390, height: 800 }
  const page = await dashboard.open(olga, { colorScheme: 'dark', viewport, reducedMotion: 'reduce' })
  await page.goto(inbox)
  await page.getByText(words).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('button', { name: 'See the problem' }).click()
  await page.getByText('Email is not being fetched').waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Close' }).click()
  await page.getByText(words).waitFor({ state: 'detached' })
})
