import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { useReceivingDashboard } from '../mail/receiving-dashboard.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'
import type { Person } from '../operator.ts'

const chromium = needs('chromium')
const { dashboard, omar, deliver } = useReceivingDashboard()

async function openLog(person: Person): Promise<Page> {
  const page = await dashboard.open(person, { reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/settings/mail-log`)
  return page
}

test(
  'an operator filters the log, opens an email that needs attention and makes it a ticket',
  chromium,
  async () => {
    const question = makeMail('Lamp')
    await deliver(question)
    const [, id] = /^Message-ID: <(.*)>/im.exec(question)!
    const forged = makeMail('Re: Lamp').replace(/^From: .*$/m, `From: ${omar.email}\r\nIn-Reply-To: <${id}>`)
    assert.equal((await deliver(forged)).outcome, 'operator_unverified')
    const page = await openLog(omar)
    const rows = page.getByRole('list', { name: 'Mail log' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    await page.getByLabel('Emails').selectOption('Need attention')
    await rows.nth(1).waitFor({ state: 'detached' })
    await rows.getByRole('button', { name: 'Re: Lamp' }).click()
    const dialog = page.getByRole('dialog', { name: 'Received email' })
    await dialog.getByRole('button', { name: 'View source' }).click()
    await dialog.getByLabel('Source').waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    assert.equal(await dialog.getByRole('button', { name: 'Read again' }).count(), 0)
    await dialog.getByRole('button', { name: 'Make a ticket' }).click()
    await dialog.getByText('New ticket', { exact: true }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Make a ticket' }).count(), 0)
    await dialog.getByRole('link', { name: 'Open ticket' }).click()
    await page.getByRole('heading', { name: 'Re: Lamp' }).first().waitFor()
  },
)

test('adds an email to a ticket, and says if there is no ticket with this number', chromium, async () => {
  const mail = makeMail('Two copies')
  const { ticket_id } = await deliver(mail)
  const { body: ticket } = await dashboard.server.api.get(`/tickets/${ticket_id}`)
  await deliver(mail)
  const page = await openLog(dashboard.olga)
  await page.getByLabel('Emails').selectOption('Only logged')
  await page.getByRole('button', { name: 'Two copies' }).click()
  await page.getByRole('button', { name: 'Read again' }).waitFor()
  await page.getByRole('button', { name: 'Add to ticket…' }).click()
  await page.getByLabel('Ticket number').fill('999999')
  await page.keyboard.press('Enter')
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('Ticket number').fill(`#${ticket.short_id}`)
  await page.keyboard.press('Enter')
  await page.getByText('Added to the ticket that someone chose').waitFor()
  const { body } = await dashboard.server.api.get(`/tickets/${ticket_id}/messages`)
  assert.equal(body.items.length, 2)
})

test('asks for two characters, and says if no email matches', chromium, async () => {
  await deliver(makeMail('Found by its subject'))
  const page = await openLog(omar)
  const search = page.getByLabel('Sender, subject or Message-ID')
  await page.getByRole('button', { name: 'Found by its subject' }).waitFor()
  await search.fill('😀')
  await page.keyboard.press('Enter')
  await page.getByText('Enter at least two characters.').waitFor()
  await page.getByRole('button', { name: 'Found by its subject' }).waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await search.fill('nobody writes this')
  await page.keyboard.press('Enter')
  await page.getByText('Try another search, or fewer filters.').waitFor()
})

test(
  'reads the email of a message again, says what changed, and updates the open ticket',
  chromium,
  async () => {
    const { api, db, acme } = dashboard.server
    const { ticket_id, message_id } = await deliver(makeMail('Misread', 'Schöne Grüße'))
    await db`update messages set content = 'Sch?ne Gr??e' where project_id = ${acme.id} and id = ${message_id}`
    const ticket = await dashboard.open(dashboard.olga)
    await ticket.goto(`/p/${acme.id}/inbox/open/${ticket_id}`)
    const conversation = ticket.getByRole('log').frameLocator('iframe')
    await conversation.getByText('Sch?ne Gr??e').waitFor()
    const page = await openLog(dashboard.olga)
    await page.getByRole('button', { name: 'Misread' }).click()
    const dialog = page.getByRole('dialog', { name: 'Received email' })
    await dialog.getByRole('button', { name: 'Read again' }).click()
    await dialog.getByText('Text updated').waitFor()
    await conversation.getByText('Schöne Grüße').waitFor()
    await dialog.getByRole('button', { name: 'Read again' }).click()
    await dialog.getByText('Nothing changed').waitFor()
    const other = await deliver(makeMail('Other'))
    const { short_id } = (await api.get(`/tickets/${other.ticket_id}`)).body
    await dialog.getByRole('button', { name: 'Move to ticket…' }).click()
    await dialog.getByLabel('Ticket number').fill(short_id)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Move to ticket…' }).waitFor()
    assert.equal((await api.get(`/messages/${message_id}`)).body.ticket_id, other.ticket_id)
  },
)
