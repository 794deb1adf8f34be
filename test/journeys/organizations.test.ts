import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { listAccessibilityViolations, untilHolds, untilIn } from '../browser.ts'
import { makeContact, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { makeOrganization } from '../organization.ts'
import { tabTo } from '../tab-to.ts'

/** Organizations in the dashboard: their page, the field of a contact, and the inbox filter. */

const chromium = needs('chromium')
const dashboard = useDashboard()
const { olga } = dashboard

const pathOf = (rest = '') => `/p/${dashboard.server.acme.id}${rest}`
const organizationOf = async (id: string) => (await olga.api.get(`/contacts/${id}`)).body.organization_id

async function open(path: string, options: BrowserContextOptions = {}, person = olga): Promise<Page> {
  const page = await dashboard.open(person, { reducedMotion: 'reduce', ...options })
  await page.goto(pathOf(path))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return page
}

/** Confirms the question of the open dialog, once its first button has the focus. */
async function confirm(page: Page): Promise<void> {
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' })
  await cancel.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

/** An organization with a member who has a ticket. */
async function furnish(name = `Northwind ${unique()}`) {
  const { api } = dashboard.server
  const organization = await makeOrganization(api, { name, domains: [`${unique()}.example`] })
  const contact = { email: `ann@${organization.domains[0]}`, full_name: `Ann ${unique()}` }
  const ticket = await makeTicket(api, { contact, subject: `Late ${unique()}` })
  return { organization, contact, ticket }
}

test(
  'by keyboard alone, an organization is created, gets a domain after the effect is shown, and loses it again',
  chromium,
  async () => {
    const domain = `${unique()}.example`
    const contact = await makeContact(dashboard.server.api, { email: `ann@${domain}`, full_name: 'Ann Lee' })
    const page = await open('/contacts')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor()
    await tabTo(page, 'New organization', 'button')
    await page.keyboard.press('Enter')
    const name = `Keys ${unique()}`
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await tabTo(page, 'Name', 'textbox')
    await page.keyboard.type(name)
    await page.getByRole('button', { name: 'Create organization' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await tabTo(page, /^Domain$/, 'textbox')
    await page.keyboard.type('gmail.com')
    await page.keyboard.press('Enter')
    await page.getByText('Anyone can get an address at this domain').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(domain.toUpperCase())
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Add ${domain}?` })
    await dialog.getByText('1 existing contact will join.').waitFor()
    await confirm(page)
    await page.getByRole('link', { name: 'Ann Lee' }).waitFor()
    const id = page.url().split('/').at(-1)!
    assert.equal(await organizationOf(contact.id), id)
    await tabTo(page, `Remove ${domain}`, 'button')
    await page.keyboard.press('Enter')
    await page.getByText('Current members stay.').waitFor()
    await confirm(page)
    await page.getByRole('button', { name: `Remove ${domain}` }).waitFor({ state: 'detached' })
    assert.equal(await organizationOf(contact.id), id)
  },
)

test('by keyboard alone, a member is added and removed, and does not join again', chromium, async () => {
  const { organization } = await furnish()
  const other = await makeContact(dashboard.server.api, { full_name: `Tom ${unique()}` })
  const page = await open(`/organizations/${organization.id}`)
  await tabTo(page, 'Add member', 'button')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Add member' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(other.full_name)
  await page.locator('[data-combobox-selected]', { hasText: other.full_name }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: other.full_name }).waitFor()
  assert.equal(await organizationOf(other.id), organization.id)
  await tabTo(page, `Remove ${other.full_name} from the organization`, 'button')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: other.full_name }).waitFor({ state: 'detached' })
  assert.equal(await organizationOf(other.id), null)
})

test("by keyboard alone, a contact's organization is chosen beside the ticket", chromium, async () => {
  const { organization } = await furnish()
  const ticket = await makeTicket(dashboard.server.api, { subject: 'Mine' })
  const page = await open(`/inbox/open/${ticket.short_id}`, { viewport: { width: 1600, height: 900 } })
  const field = page.getByRole('combobox', { name: 'Organization' })
  await tabTo(page, 'Organization', 'combobox')
  await page.keyboard.type(organization.name)
  await page.getByRole('option', { name: organization.name }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-combobox-selected]', { hasText: organization.name }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open organization' }).waitFor()
  assert.equal(await organizationOf(ticket.contact_id), organization.id)
  await untilHolds(field, organization.name)
  await tabTo(page, 'Open organization', 'link')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: organization.name, level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Mine' }).waitFor()
})

test('the inbox shows the tickets of one organization', chromium, async () => {
  const { organization, ticket } = await furnish()
  const other = await makeTicket(dashboard.server.api, { subject: `Other ${unique()}` })
  const page = await open('/inbox/open')
  const row = (subject: string) => page.getByRole('link', { name: subject }).first()
  await row(other.subject).waitFor()
  await page.keyboard.press('Shift+F')
  const dialog = page.getByRole('dialog')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('organization')
  await page.locator('[data-combobox-selected]', { hasText: 'Organization' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('listbox', { name: 'Organization' }).waitFor()
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type(organization.name)
  await page.locator('[data-combobox-selected]', { hasText: organization.name }).waitFor()
  await page.keyboard.press('Enter')
  await row(other.subject).waitFor({ state: 'detached' })
  await row(ticket.subject).waitFor()
  assert.ok(page.url().includes(organization.id))
})

test('operators see no Delete button, and admins must confirm before deleting', chromium, async () => {
  const { organization, contact } = await furnish()
  const omar = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Omar' })
  const theirs = await open(`/organizations/${organization.id}`, {}, omar)
  await theirs.getByRole('link', { name: contact.full_name }).waitFor()
  assert.equal(await theirs.getByRole('button', { name: 'Delete organization' }).count(), 0)
  const page = await open(`/organizations/${organization.id}`)
  await tabTo(page, 'Delete organization', 'button')
  await page.keyboard.press('Enter')
  await page.getByText('Its members and their tickets stay.').waitFor()
  await confirm(page)
  await page.getByText('Select an organization').waitFor()
  assert.equal((await olga.api.get(`/organizations/${organization.id}`)).status, 404)
})

test('the dialogs are accessible in dark mode, right to left and on a phone', chromium, async () => {
  const { organization } = await furnish()
  const page = await open(`/organizations/${organization.id}`, {
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  })
  await page.evaluate(`document.documentElement.setAttribute('dir', 'rtl')`)
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('textbox', { name: 'Domain', exact: true }).fill(`${unique()}.example`)
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByRole('dialog').getByText('No existing contacts will join.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('option').first().waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await untilIn(page, 'document.documentElement.scrollWidth <= document.documentElement.clientWidth')
})
