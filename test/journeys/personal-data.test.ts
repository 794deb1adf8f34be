import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStorages } from '../../src/media/media.ts'
import { continueDataDeletions } from '../../src/personal-data/personal-data.ts'
import { listAccessibilityViolations } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'

/** Deleting a ticket and a contact, and exporting a contact, in the dashboard. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

async function runDeletions(): Promise<void> {
  const { server } = dashboard
  const deps = { ...server, storages: createStorages(server) }
  while ((await continueDataDeletions(deps, server.acme.id)) > 0);
}

test('an admin deletes a ticket by keyboard, after typing its number', chromium, async () => {
  const { api, acme } = dashboard.server
  const ticket = await makeTicket(api, { subject: 'To be deleted', content: 'Hello' })
  const viewport = { width: 390, height: 800 }
  const page = await dashboard.open(olga, { viewport, colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.goto(`/p/${acme.id}/inbox/open/${ticket.short_id}`)
  await page.getByRole('heading', { name: 'To be deleted' }).waitFor()
  await page.keyboard.press('#')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 message').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  assert.ok(await dialog.getByRole('button', { name: 'Delete' }).isDisabled())
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type(ticket.short_id)
  await page.keyboard.press('Enter')
  await dialog.getByText('You can close this dialog').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  // From before the deletion, because this message disappears after four seconds.
  await Promise.all([page.getByText('Deleted', { exact: true }).waitFor(), runDeletions()])
  await dialog.waitFor({ state: 'hidden' })
  assert.equal((await api.get(`/tickets/${ticket.id}`)).status, 404)
})

test("an admin exports and deletes a contact on the contact's page", chromium, async () => {
  const { api, acme } = dashboard.server
  const contact = { email: 'leaves@example.com', full_name: 'Lea Leaves' }
  const { contact_id } = await makeTicket(api, { contact, content: 'Hello' })
  const page = await dashboard.open(olga)
  await page.goto(`/p/${acme.id}/contacts/${contact_id}`)
  const link = page.getByRole('link', { name: 'Export data' })
  await link.waitFor()
  const downloading = page.waitForEvent('download')
  await link.click()
  assert.equal((await downloading).suggestedFilename(), 'contact.zip')
  await page.getByRole('button', { name: 'Delete contact…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 ticket', { exact: true }).waitFor()
  await dialog.getByRole('textbox').fill('Lea Leaves')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('You can close this dialog').waitFor()
  await runDeletions()
  await page.waitForURL(`**/p/${acme.id}/contacts`)
  assert.equal((await api.get(`/contacts/${contact_id}`)).status, 404)
})
