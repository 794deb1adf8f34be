import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepToasts, listAccessibilityViolations } from '../browser.ts'
import { useReceivingDashboard } from '../mail/receiving-dashboard.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'
import type { Person } from '../operator.ts'

const chromium = needs('chromium')
const { dashboard, omar, deliver } = useReceivingDashboard()

const open = async (person: Person, path: string) => {
  const page = await dashboard.open(person)
  await keepToasts(page)
  await page.goto(`/p/${dashboard.server.acme.id}/${path}`)
  return page
}

const receiveFrom = (sender: string, subject: string) =>
  deliver(makeMail(subject).replace('ann@example.com', sender))

const listRules = async (): Promise<[string, string][]> =>
  (await dashboard.server.api.get('/sender-rules')).body.items.map(
    ({ pattern, verdict }: { pattern: string; verdict: string }) => [pattern, verdict],
  )

test('an admin adds, finds and removes senders, and is warned about public domains', chromium, async () => {
  const page = await open(dashboard.olga, 'settings/senders')
  await page.getByText('No senders found').waitFor()
  await page.getByRole('button', { name: 'Add sender' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add sender' })
  const field = dialog.getByLabel('Address or domain')
  await field.fill('gmail.com')
  await dialog.getByText('Anyone can have an address at gmail.com').waitFor()
  await field.fill('nothing')
  await dialog.getByRole('button', { name: 'Add sender' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await field.fill('ads.example')
  await dialog.getByText('Anyone can have an address').waitFor({ state: 'detached' })
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Add sender' }).click()
  await dialog.waitFor({ state: 'detached' })
  const rows = page.getByRole('list', { name: 'Senders' }).getByRole('listitem')
  await rows.filter({ hasText: 'ads.example' }).getByText('Blocked').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByLabel('Search senders').fill('partner')
  await page.getByText('No senders found').waitFor()
  await page.getByLabel('Search senders').fill('ADS')
  await page.getByRole('button', { name: 'Remove ads.example' }).click()
  await rows.first().waitFor({ state: 'detached' })
  assert.deepEqual(await listRules(), [])
})

test('an admin blocks the domain of a logged email after reading what will happen', chromium, async () => {
  await receiveFrom('eve@letters.example', 'Buy now')
  const page = await open(dashboard.olga, 'settings/mail-log')
  await page.getByRole('button', { name: 'Buy now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Received email' })
  await dialog.getByRole('button', { name: 'Block this domain' }).click()
  await dialog.getByText('emails from letters.example appear only in the mail log').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  // From before the click, because this message disappears after four seconds.
  await Promise.all([
    page.getByText('letters.example is blocked.').waitFor(),
    dialog.getByRole('button', { name: 'Block', exact: true }).click(),
  ])
  assert.deepEqual(await listRules(), [['letters.example', 'blocked']])
  assert.equal((await receiveFrom('fay@letters.example', 'Buy more')).outcome, 'sender_blocked')
  await page.reload()
  await page.getByRole('button', { name: 'Buy more' }).getByText('Its sender is blocked').waitFor()
})

test('an admin who marks a ticket as spam is offered to block its sender', chromium, async () => {
  const { ticket_id } = await receiveFrom('gus@spam.example', 'Win a lamp')
  const page = await open(dashboard.olga, `inbox/open/${ticket_id}`)
  await page.getByRole('heading', { name: 'Win a lamp' }).first().waitFor()
  await page.keyboard.press('!')
  await page.getByRole('status').getByRole('button', { name: 'Block sender…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Block sender' })
  await dialog.getByText('emails from gus@spam.example appear only in the mail log').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  const before = await listRules()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await listRules(), [['gus@spam.example', 'blocked'], ...before])
  assert.equal((await dashboard.server.api.get(`/tickets/${ticket_id}`)).body.is_spam, true)
})

test(
  'an admin blocks a sender from the explanation of an email, and an operator cannot',
  chromium,
  async () => {
    const { ticket_id } = await receiveFrom('hal@noise.example', 'Hello again')
    for (const [person, count] of [
      [dashboard.olga, 1],
      [omar, 0],
    ] as const) {
      const page = await open(person, `inbox/open/${ticket_id}`)
      await page.getByRole('log').getByRole('button', { name: 'More actions' }).first().click()
      await page.getByRole('menuitem', { name: 'Why is this email here?' }).click()
      const why = page.getByRole('dialog', { name: 'Why is this email here?' })
      await why.getByRole('button', { name: 'Move to its own ticket' }).waitFor()
      const block = why.getByRole('button', { name: 'Block sender…' })
      assert.equal(await block.count(), count)
      if (count === 0) continue
      await block.click()
      const dialog = page.getByRole('dialog', { name: 'Block sender' })
      await dialog.getByText('emails from hal@noise.example').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
  },
)
