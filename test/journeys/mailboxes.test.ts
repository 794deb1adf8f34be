import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccessibilityViolations } from '../browser.ts'
import { useDashboard } from '../dashboard.ts'
import { startDovecot } from '../dovecot.ts'
import { needs } from '../needs.ts'

const dashboard = useDashboard()
const { olga } = dashboard

test('adds a mailbox after its connection works, and reports each wrong setting', {
  skip: needs('chromium').skip || needs('dovecot').skip,
}, async t => {
  const { server } = dashboard
  const dovecot = await startDovecot(t, { users: { support: 'secret' } })
  const page = await dashboard.open(olga)
  await page.goto(`/p/${server.acme.id}/settings/mailboxes/add`)
  await page.getByLabel('Email address').fill('support@shop.invalid')
  await page.keyboard.press('Enter')
  await page.getByLabel('Host').fill('127.0.0.1')
  await page.getByRole('combobox', { name: 'Encryption' }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByLabel('Port').fill(String(dovecot.lmtpPort))
  await page.getByLabel('User name').fill('support')
  await page.getByRole('textbox', { name: 'Password' }).fill('mistyped')
  const connect = page.getByRole('button', { name: 'Test and add' })
  await connect.click()
  await page.getByText(`does not offer IMAP on port ${dovecot.lmtpPort}`).waitFor()
  await page.getByLabel('Port').fill(String(dovecot.imapPort))
  await connect.click()
  await page.getByText('rejected the login for support').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.deepEqual((await olga.api.get('/mailboxes')).body.items, [])
  await page.getByRole('textbox', { name: 'Password' }).fill('secret')
  await connect.click()
  await page.getByText('Waiting for the email…').waitFor()
  assert.equal((await olga.api.get('/mailboxes')).body.items.length, 1)
})
