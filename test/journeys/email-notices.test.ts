import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccessibilityViolations } from '../browser.ts'
import { useReceivingDashboard } from '../mail/receiving-dashboard.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'

/** What the dashboard says about unusual emails above their text. */

const chromium = needs('chromium')
const { dashboard, deliver } = useReceivingDashboard()

async function show(ticketId: string | null) {
  const page = await dashboard.open(dashboard.olga, { reducedMotion: 'reduce' })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/${ticketId}`)
  return page
}

test('an email that refers to another ticket says so, and leads to the reason', chromium, async () => {
  const question = makeMail('Broken lamp')
  await deliver(question)
  const [, id] = /^Message-ID: <(.*)>/im.exec(question)!
  const stranger = makeMail('Re: Broken lamp').replace(
    /^From: .*$/m,
    `From: Eve <eve@example.com>\r\nIn-Reply-To: <${id}>`,
  )
  const { outcome, ticket_id } = await deliver(stranger)
  assert.equal(outcome, 'new_stranger')
  const page = await show(ticket_id)
  await page.getByText('This email refers to another ticket.').waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await page.getByRole('button', { name: 'Why is this email here?' }).click()
  await page.getByRole('dialog').getByText(`Matching value: ${id}`).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Add to #/ })
    .waitFor()
  assert.deepEqual(await listAccessibilityViolations(page), [])
})

test('an email that is not shown completely leads to its source', chromium, async () => {
  const parts = 150
  const open = Array.from(
    { length: parts },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}`,
  )
  const { ticket_id } = await deliver(
    makeMail('Nested').replace(/\r\n\r\n.*$/s, `\r\n${open.join('\r\n')}\r\n\r\nDeep`),
  )
  const page = await show(ticket_id)
  await page.getByText('This email is not shown completely.').waitFor()
  await page.getByRole('button', { name: 'View source' }).click()
  await page.getByRole('dialog', { name: 'View source' }).waitFor()
})

test('an automatic reply is marked', chromium, async () => {
  const question = makeMail('My holiday')
  const { ticket_id } = await deliver(question)
  const [, id] = /^Message-ID: <(.*)>/im.exec(question)!
  const absence = makeMail('Re: My holiday').replace(
    /^From: /m,
    `Auto-Submitted: auto-replied\r\nIn-Reply-To: <${id}>\r\nFrom: `,
  )
  assert.equal((await deliver(absence)).ticket_id, ticket_id)
  const page = await show(ticket_id)
  await page.getByText('Automatic reply', { exact: true }).waitFor()
})
