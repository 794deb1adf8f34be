import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { type Dashboard, openDashboard } from '../dashboard.ts'
import { type Dovecot, startDovecot } from '../dovecot.ts'
import { openFileContext } from '../file-context.ts'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { startTokenServer, type TokenServer } from '../token-server.ts'

const skip = needs('chromium').skip || needs('dovecot').skip
const address = 'support@shop.invalid'

let provider: TokenServer
let dovecot: Dovecot
let dashboard: Dashboard
let olga: Person
const context = openFileContext()
before(async () => {
  if (skip) return
  provider = await startTokenServer(context, address)
  provider.secret = 'app secret'
  dovecot = await startDovecot(context, { users: {}, introspection: provider.introspectionUrl })
  // The provider sends people back to PUBLIC_URL, so the port must be known before the server starts.
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  dashboard = await openDashboard({ config: { port, publicUrl } })
  context.after(() => dashboard.close())
  olga = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Olga', role: 'owner' })
})

async function fillIn(page: Page): Promise<void> {
  const values = {
    'Client ID': 'desk',
    'Client secret': 'app secret',
    'Authorization address': provider.authorizeUrl,
    'Token address': provider.tokenUrl,
    Scope: 'mail',
    Host: '127.0.0.1',
    Port: String(dovecot.imapPort),
  }
  await page.getByRole('combobox', { name: 'Encryption', exact: true }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByRole('combobox', { name: 'How replies are sent' }).click()
  await page.getByRole('option', { name: 'Not at all' }).click()
  for (const [label, value] of Object.entries(values))
    await page.getByRole('textbox', { name: label, exact: true }).fill(value)
}

test('connects a mailbox by signing in with its provider, and signs in again after access was revoked', {
  skip,
}, async () => {
  const { server } = dashboard
  const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
  const answer = (name: 'Allow' | 'Deny') => page.getByRole('button', { name }).click()
  const signIn = page.getByRole('button', { name: 'Sign in with the provider' })
  await page.goto(`/p/${server.acme.id}/settings/mailboxes/add`)
  await page.getByLabel('Email address').fill(address)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'How email reaches Deskbell' }).click()
  await page.getByRole('option', { name: 'Fetch it from a mail server after a sign-in' }).click()
  await signIn.click()
  await page.getByText('Fill in this field.').first().waitFor()
  await fillIn(page)
  assert.deepEqual(await listAccessibilityViolations(page), [])

  await signIn.click()
  await answer('Deny')
  await page.getByText('did not grant access').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('link', { name: 'Change the settings' }).click()
  await page.getByRole('textbox', { name: 'Client secret' }).fill('app secret')
  await signIn.click()
  await answer('Allow')
  await page.getByText('Waiting for the email…').waitFor()
  const [mailbox] = (await olga.api.get('/mailboxes')).body.items
  assert.match(page.url(), /\/settings\/mailboxes\/add\?mailbox=[\w-]+$/)
  assert.equal(mailbox.address, address)

  provider.revoke()
  await server.db`update mailboxes set state = 'broken',
    last_error = '{"code": "access_revoked", "values": {}, "at": "2026-01-01"}' where id = ${mailbox.id}`
  await page.getByRole('link', { name: 'Mailbox settings' }).click()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  // From before the click, because this message disappears after four seconds.
  await Promise.all([page.getByText('Signed in. The connection works.').waitFor(), answer('Allow')])
  await page.getByText('Active', { exact: true }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})
