import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { listAccessibilityViolations, pressItem, untilIn } from '../browser.ts'
import { makeContact, makeTicket, unique } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { startMailbox } from '../mailbox.ts'
import { needs } from '../needs.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

/** A contact's page: values, addresses and ids, merging and undoing a merge. All by keyboard. */

const chromium = needs('chromium')
const mailbox = await startMailbox()
after(mailbox.close)
const dashboard = useDashboard(undefined, {
  config: { smtpUrl: mailbox.url, mailFrom: 'Desk <desk@example.com>' },
})
const { olga } = dashboard

const pathOf = (id: string) => `/p/${dashboard.server.acme.id}/contacts/${id}`
const read = async (id: string) => (await olga.api.get(`/contacts/${id}`)).body
const identitiesOf = async (id: string) => (await olga.api.get(`/contacts/${id}/identities`)).body.items

async function openPage(id: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await dashboard.open(olga, { reducedMotion: 'reduce', ...options })
  await page.goto(pathOf(id))
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  return page
}

const makePerson = (fields: Record<string, unknown> = {}) => makeContact(dashboard.server.api, fields)

/** Opens a menu and chooses an item by keyboard. */
async function chooseItem(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).press('Enter')
  await pressItem(page.getByRole('menuitem', { name: item, exact: true }))
}

/** Chooses another contact in the open dialog by typing the name. */
async function pickContact(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type(name)
  await dialog.locator('[data-combobox-selected]', { hasText: name }).waitFor()
  await page.keyboard.press('Enter')
}

test('a value is edited on click: Enter saves, Escape restores it', chromium, async () => {
  const { id } = await makePerson({ full_name: 'Ann Lee' })
  const page = await openPage(id)
  await tabTo(page, 'Name: Ann Lee. Edit', 'button')
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Name' })
  await field.fill('Nobody')
  await page.keyboard.press('Escape')
  await untilIn(page, `document.activeElement.ariaLabel === 'Name: Ann Lee. Edit'`)
  await page.keyboard.press('Enter')
  await field.fill('Ann Li')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Name: Ann Li. Edit' }).waitFor()
  assert.equal((await read(id)).full_name, 'Ann Li')
  await page.getByRole('button', { name: /^Note:/ }).press('Enter')
  await page.keyboard.type('Calls often')
  await page.keyboard.press('Enter')
  await until(async () => (await read(id)).note === 'Calls often')
})

test(
  'an address can be added, made primary, verified with the emailed code and removed',
  chromium,
  async () => {
    const { id, email } = await makePerson()
    const second = `${unique()}@example.com`
    const page = await openPage(id)
    await page.getByRole('button', { name: 'Add address or ID' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Value').fill(second)
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await chooseItem(page, `Actions for ${second}`, 'Make primary')
    await until(async () => (await read(id)).email === second)
    await chooseItem(page, `Actions for ${second}`, 'Send code')
    await dialog.getByLabel('Code').waitFor()
    const mail = await until(async () => mailbox.mails.find(({ to }) => to.includes(second)))
    await dialog.getByLabel('Code').fill('1')
    await page.keyboard.press('Enter')
    await dialog.getByText('Wrong code').waitFor()
    await dialog.getByLabel('Code').fill(/^Subject:.*?(\d{6})/m.exec(mail.text)![1]!)
    await page.keyboard.press('Enter')
    await page.getByText('Verified with a code by Olga').waitFor()
    await chooseItem(page, `Actions for ${email}`, 'Mark as verified')
    await dialog.getByLabel('Reason').fill('Called back')
    await page.keyboard.press('Enter')
    await page.getByText('Called back').waitFor()
    await chooseItem(page, `Actions for ${second}`, 'Remove')
    // The dialog first puts the focus on the other button.
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await until(async () => (await identitiesOf(id)).length === 1)
    assert.equal((await read(id)).email, email)
  },
)

test('a code that cannot be mailed says why, and not that Deskbell is unreachable', chromium, async () => {
  const { id, email } = await makePerson()
  const page = await openPage(id)
  const json = { error_code: 'MAIL_NOT_SENT', error_message: 'Refused', detail: { reason: 'refused' } }
  await page.route('**/code', route => route.fulfill({ status: 502, json }))
  await chooseItem(page, `Actions for ${email}`, 'Send code')
  await page.getByText('The email couldn’t be sent.').waitFor()
  assert.equal(await page.getByText('Can’t reach Deskbell').count(), 0)
})

test('an address that another contact has is refused with a message', chromium, async () => {
  const [{ id }, other] = [await makePerson(), await makePerson()]
  const page = await openPage(id)
  await page.getByRole('button', { name: 'Add address or ID' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Value').fill(other.email)
  await page.keyboard.press('Enter')
  await page.getByText('Another record already has this.').waitFor()
})

test('the page says which tickets move before it moves an address to another contact', chromium, async () => {
  const person = await makePerson({ full_name: `Cara ${unique()}` })
  const target = await makePerson({ full_name: `Dora ${unique()}` })
  const page = await openPage(person.id)
  await chooseItem(page, `Actions for ${person.email}`, 'Move to another contact')
  await pickContact(page, target.full_name)
  await page.getByText('No tickets will move.').waitFor()
  await page.getByRole('button', { name: `Move to ${target.full_name}` }).press('Enter')
  await page.getByText(`Moved to ${target.full_name}`).waitFor()
  assert.equal((await olga.api.get(`/contacts/email:${person.email}`)).body.id, target.id)
})

test('a merge shows its effect first, keeps the chosen values, and can be undone', chromium, async () => {
  const from = await makePerson({ full_name: `Eve ${unique()}`, phone: '1' })
  const into = await makePerson({ full_name: `Eva ${unique()}`, phone: '2' })
  const ticket = await makeTicket(dashboard.server.api, { contact: { email: from.email } })
  const page = await openPage(from.id)
  await chooseItem(page, 'More actions', 'Merge into another contact')
  await pickContact(page, into.full_name)
  const dialog = page.getByRole('dialog', { name: `Merge ${from.full_name}` })
  await dialog.getByText('1 ticket will move.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  const phone = dialog.getByRole('radiogroup', { name: 'Phone' })
  await phone.getByRole('radio', { name: '2', exact: true }).press('ArrowDown')
  await dialog.getByRole('button', { name: 'Merge', exact: true }).press('Enter')
  await page.waitForURL(url => url.pathname.endsWith(into.id))
  assert.deepEqual([(await read(into.id)).phone, (await read(into.id)).full_name], ['1', into.full_name])
  const merged = page.getByRole('region', { name: 'Merged contacts' })
  await merged.getByRole('button', { name: 'Undo merge' }).press('Enter')
  // The notice disappears after some seconds.
  await page.getByText('Merge undone').waitFor()
  await page.waitForURL(url => url.pathname.endsWith(from.id))
  assert.equal((await read(into.id)).phone, '2')
  assert.equal((await olga.api.get(`/tickets/${ticket.id}`)).body.contact_id, from.id)
})

const looks = [
  { colorScheme: 'light', dir: 'ltr', width: 1440 },
  { colorScheme: 'dark', dir: 'rtl', width: 390 },
] as const

for (const { colorScheme, dir, width } of looks)
  test(
    `the page has no accessibility violations and fits at ${width} px, ${colorScheme}, ${dir}`,
    chromium,
    async () => {
      const { id, email } = await makePerson({ full_name: 'Ann '.repeat(20) })
      await olga.api.patch(`/contacts/${id}/identities/email:${email}`, {
        is_verified: true,
        reason: 'Called back '.repeat(20),
      })
      const viewport = { width, height: 800 }
      const page = await dashboard.open(olga, { colorScheme, viewport, reducedMotion: 'reduce' })
      await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
      await page.goto(pathOf(id))
      await page.getByText('Called back').waitFor()
      await untilIn(page, 'document.documentElement.scrollWidth <= innerWidth')
      assert.deepEqual(await listAccessibilityViolations(page), [])
      await page.getByRole('button', { name: `Actions for ${email}` }).press('Enter')
      await page.getByRole('menuitem', { name: 'Correct' }).waitFor()
      assert.deepEqual(await listAccessibilityViolations(page), [])
    },
  )

test("the panel beside a conversation links to the contact's page", chromium, async () => {
  const { contact_id, short_id } = await makeTicket(dashboard.server.api, { content: 'Hello' })
  const page = await dashboard.open(olga, { viewport: { width: 1600, height: 900 } })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${short_id}`)
  await page.getByRole('link', { name: 'Open profile' }).press('Enter')
  await page.waitForURL(url => url.pathname.endsWith(contact_id))
})
