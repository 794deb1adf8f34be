import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { lookOf } from '../browser.ts'
import { makeContact, makeTicket, unique } from '../cast.ts'
import { type OwnerDashboard, useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'

/** Lines in the page's language that contain or begin with a name in Arabic. */

const chromium = needs('chromium')
const name = 'ليلى حداد'
const people: { layla?: Person } = {}

const dashboard = useDashboard(async ({ server }: OwnerDashboard) => {
  people.layla = await joinProject(server, server.acme, { name, role: 'admin' })
})

async function openPage(path: string): Promise<Page> {
  const page = await dashboard.open(dashboard.olga, { reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  return page
}

/** The name is isolated, and does not turn its line round. */
async function assertIsolated(line: Locator): Promise<void> {
  const bdi = line.locator('bdi', { hasText: name })
  await bdi.waitFor()
  assert.equal(await bdi.locator('xpath=..').evaluate(lookOf, 'direction'), 'ltr')
  assert.equal(await bdi.evaluate(lookOf, 'direction'), 'rtl')
}

test('a ticket that the command bar finds begins with its number', chromium, async () => {
  const contact = { email: `${unique()}@example.com`, full_name: name }
  const subject = `Lamp ${unique()}`
  const { short_id } = await makeTicket(dashboard.server.api, { contact, subject, content: 'Hello' })
  const page = await openPage('contacts')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[data-command-field]:focus').waitFor()
  await page.keyboard.type(subject)
  const line = page.getByRole('option', { name: subject }).getByText(`#${short_id} · `)
  await assertIsolated(line)
})

test('a record of the system begins with the name of the operator', chromium, async () => {
  const { id, short_id } = await makeTicket(dashboard.server.api, { content: 'Hello' })
  await people.layla!.api.post(`/tickets/${id}/take`)
  const page = await openPage(`inbox/open/${short_id}`)
  await assertIsolated(page.getByRole('log').locator('p', { hasText: 'took the ticket' }))
})

test('a contact with the same address is named at the start of the line', chromium, async () => {
  const { email } = await makeContact(dashboard.server.api, { full_name: name })
  const page = await openPage('contacts')
  await page.getByRole('button', { name: 'New contact' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await assertIsolated(dialog.locator('p', { hasText: 'has this email address.' }))
})
