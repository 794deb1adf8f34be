import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccessibilityViolations } from '../browser.ts'
import { listAutomatic } from '../mail/automatic.ts'
import { useReceivingDashboard } from '../mail/receiving-dashboard.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'

const chromium = needs('chromium')
const { dashboard, deliver } = useReceivingDashboard()
const { olga } = dashboard

test(
  'an admin turns on the confirmation of new tickets, writes its text, and sees a preview',
  chromium,
  async t => {
    const { server } = dashboard
    const [mailbox] = (await olga.api.get('/mailboxes')).body.items
    await server.db`
    update mailboxes set sending = 'smtp', smtp = '{"host":"127.0.0.1","port":1,"security":"none","user":"","auth":"none"}'
    where id = ${mailbox.id}`
    t.after(() => server.db`update mailboxes set sending = 'none', sends_acknowledgement = false`)
    const page = await dashboard.open(olga, { reducedMotion: 'reduce' })
    await page.goto(`/p/${server.acme.id}/settings/mailboxes/${mailbox.id}`)
    await page.getByRole('switch', { name: 'Confirm new tickets' }).click()
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Automatic emails' }) })
    const preview = section.getByRole('region', { name: 'Preview: Confirmation' })
    await preview.getByText('Your reference number is 1042.').waitFor()
    const field = section.getByRole('textbox', { name: 'Confirmation' })
    await field.fill('Hi {{contact.full_name|there}}, {{ticket.color}}')
    await section.getByText('Unknown placeholder: ticket.color').waitFor()
    await field.fill('Hi {{contact.full_name|there}}, your number is {{ticket.short_id}}.')
    await preview.getByText('Hi Ann Lee, your number is 1042.').waitFor()
    await section.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'German' }).click()
    await preview.getByText('Guten Tag,').waitFor()
    await section.getByRole('switch', { name: 'Send an away message' }).click()
    await section.getByText('No office hours are set').waitFor()
    await section.getByRole('region', { name: 'Preview: Away message' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = (await olga.api.get(`/mailboxes/${mailbox.id}`)).body
    assert.partialDeepStrictEqual(saved, { sends_acknowledgement: true, sends_away: true })
    assert.deepEqual(Object.keys(saved.texts), ['en'])
    const { ticket_id } = await deliver(makeMail('My lamp'))
    const [message] = await listAutomatic({ server }, ticket_id)
    assert.match(message!.content, /^Hi Ann, your number is \d+\.$/)
    await page.goto(`/p/${server.acme.id}/inbox/open/${ticket_id}`)
    await page.getByText('Automatic reply').waitFor()
  },
)

test(
  'operators edit their signature in their profile, and admins edit that of a department',
  chromium,
  async () => {
    const { server } = dashboard
    const page = await dashboard.open(olga)
    await page.goto('/account/profile')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Signature' }) })
    await section.getByRole('textbox', { name: 'Signature' }).fill('Olga Weiss\nAcme')
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await olga.api.get('/me/signature')).body.signature, 'Olga Weiss\nAcme')
    await page.goto(`/p/${server.acme.id}/settings/departments`)
    await page.getByRole('button', { name: 'New department' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Sales')
    await dialog.getByLabel('Signature').fill('The sales team')
    await dialog.getByRole('button', { name: 'New department' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [department] = (await server.api.get('/departments')).body.items
    assert.equal(department.signature, 'The sales team')
  },
)
