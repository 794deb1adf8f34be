import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addAuthenticator, codeOf } from '../authenticator.ts'
import { listAccessibilityViolations } from '../browser.ts'
import { type Dashboard, openDashboard, signIn } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person, password } from '../operator.ts'

const chromium = needs('chromium')

let dashboard: Dashboard
before(async () => {
  if (!chromium.skip) dashboard = await openDashboard()
})
after(() => dashboard?.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const inbox = (page: Page) => page.getByRole('heading', { name: 'Today' }).waitFor()

const join = (name: string, role?: 'owner') =>
  joinProject(dashboard.server, dashboard.server.acme, { name, ...(role && { role }) })

async function setUp(person: Person): Promise<{ uri: string; codes: string[] }> {
  const { body } = await person.auth.post('/two-factor/enable', { password })
  const answer = await person.auth.post('/two-factor/verify-totp', { code: codeOf(body.totpURI) })
  assert.equal(answer.status, 200)
  return { uri: body.totpURI, codes: body.backupCodes }
}

test(
  'sends a wrong code once, however it is submitted, and shows how many attempts are left',
  chromium,
  async () => {
    const person = await join('Nora')
    await setUp(person)
    const page = await dashboard.open()
    await page.goto('/')
    await signIn(page, person.email, password)
    let attempts = 0
    page.on('request', request => {
      if (request.url().endsWith('/verify-totp')) attempts++
    })
    await page.getByLabel('Code', { exact: true }).pressSequentially('000000')
    await page.getByText('4 attempts left.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Code', { exact: true }).fill('00000')
    await page.getByLabel('Code', { exact: true }).press('Enter')
    assert.equal(attempts, 1)
    await page.getByLabel('Code', { exact: true }).pressSequentially('1')
    await page.getByText('3 attempts left.').waitFor()
    await press(page, 'Use recovery code')
    await page.getByLabel('Recovery code').fill('AAAAA-AAAAA')
    const sent: string[] = []
    page.on('request', request => sent.push(request.url()))
    await page.evaluate(
      `{ const form = document.querySelector('form'); form.requestSubmit(); form.requestSubmit() }`,
    )
    await page.getByText('2 attempts left.').waitFor()
    assert.equal(sent.filter(url => url.endsWith('/verify-backup-code')).length, 1)
  },
)

test('takes a recovery code in lower case, and shows how many are left', chromium, async () => {
  const person = await join('Rosa')
  const { codes } = await setUp(person)
  const page = await dashboard.open()
  await page.goto('/')
  await signIn(page, person.email, password)
  await press(page, 'Use recovery code')
  await page.getByLabel('Recovery code').fill(codes[0]!.toLowerCase().replace('-', ' '))
  // From before the click, because this message disappears after four seconds.
  await Promise.all([page.getByText('9 recovery codes left').waitFor(), press(page, 'Continue')])
  await inbox(page)
  await page.goto('/account/security')
  await page.getByText('9 recovery codes left').waitFor()
})

test('keeps new recovery codes open on Escape until they are saved', chromium, async () => {
  const person = await join('Vera')
  await setUp(person)
  const page = await dashboard.open(person)
  await page.goto('/account/security')
  await press(page, 'New recovery codes')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'New recovery codes' }).click()
  await dialog.getByRole('heading', { name: 'Recovery codes', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await press(page, 'I’ve saved them')
  await dialog.waitFor({ state: 'hidden' })
})

test('renames a passkey, and explains when creating one was cancelled', chromium, async () => {
  const page = await dashboard.open(await join('Paula'))
  await addAuthenticator(page)
  await page.goto('/account/security')
  await press(page, 'Add passkey')
  await page.getByRole('button', { name: /^Rename passkey/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Passkey name').fill('Key in the drawer')
  assert.deepEqual(await listAccessibilityViolations(page), [])
  await dialog.getByRole('button', { name: 'Rename passkey' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Key in the drawer').waitFor()
  await page.evaluate(
    `navigator.credentials.create = async () => { throw new DOMException('no', 'NotAllowedError') }`,
  )
  await press(page, 'Add passkey')
  await page.getByText(/The passkey request was cancelled or timed out/).waitFor()
})

test('names the people without a second factor before a project requires one', chromium, async () => {
  const { db, acme } = dashboard.server
  const owner = await join('Olga', 'owner')
  await setUp(owner)
  const waiting = await join('Walter')
  const page = await dashboard.open(owner)
  await page.goto(`/p/${acme.id}/settings/security`)
  const requirement = page.getByRole('switch', { name: 'Require two-factor authentication' })
  await requirement.press('Space')
  const dialog = page.getByRole('dialog', { name: 'Require two-factor authentication?' })
  await dialog.getByText(/set it up and can’t work here/).waitFor()
  await dialog.getByText(`Walter (${waiting.email})`).waitFor()
  assert.equal(await dialog.getByText(owner.email).count(), 0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const isRequired = async () =>
    (await db`select requires_second_factor as it from projects where id = ${acme.id}`)[0]!.it
  assert.equal(await isRequired(), false)
  await requirement.press('Space')
  const changed = page.waitForResponse(answer => answer.request().method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Require' }).click()
  await changed
  assert.equal(await isRequired(), true)
})
