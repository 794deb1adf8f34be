import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { createLink } from '../../src/users/users.ts'
import { addAuthenticator, codeOf } from '../authenticator.ts'
import { type Dashboard, openDashboard, signIn } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, password } from '../operator.ts'

const chromium = needs('chromium')

let dashboard: Dashboard
before(async () => {
  if (chromium.skip) return
  dashboard = await openDashboard()
  page = await dashboard.open()
})
after(() => dashboard?.close())

const email = 'olga@example.com'
const inbox = (page: Page) => page.getByRole('heading', { name: 'Today' }).waitFor()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /: You$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in to Deskbell')
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill('')
  await page.getByLabel('Code', { exact: true }).pressSequentially(code)
}

/** One account from its first link on. Each test continues where the previous one ended. */
let page: Page
let uri = ''
let usedLink = ''
let recovery: string[] = []

test('signs in the owner whom a set-up link creates', chromium, async () => {
  const { db, acme } = dashboard.server
  const { token } = await createLink(db, { purpose: 'set_up', project_id: acme.id })
  usedLink = `/link/${token}`
  await page.goto(usedLink)
  await heading(page, 'Welcome to Deskbell')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Your name').fill('Olga <img src=x onerror=document.title=1>')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await press(page, 'Create account')
  await page.getByText('5 more characters needed').first().waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Create account')
  await inbox(page)
  await page.getByRole('button', { name: 'Olga <img src=x onerror=document.title=1>: You' }).waitFor()
})

test('explains that a link was used, has expired or is unknown', chromium, async () => {
  const { db, acme } = dashboard.server
  const { token } = await createLink(db, { purpose: 'set_up', project_id: acme.id })
  await db`update links set expires_at = now() - interval '1 second' where used_at is null`
  const other = await dashboard.open()
  await other.goto(usedLink)
  await other.getByText('This link was already used').waitFor()
  await other.goto(`/link/${token}`)
  await other.getByText('This link has expired').waitFor()
  await other.goto('/link/nothing')
  await other.getByText('Check that you copied the whole link').waitFor()
})

test(
  'keeps the email address after a wrong password, and opens the requested page after the right one',
  chromium,
  async () => {
    await signOut(page)
    await page.goto('/account/security')
    await heading(page, 'Sign in to Deskbell')
    await signIn(page, email, 'wrong horse battery')
    await page.getByText('Wrong email address or password.').waitFor()
    assert.equal(await page.getByLabel('Email address').inputValue(), email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await heading(page, 'Security')
    assert.equal(new URL(page.url()).pathname, '/account/security')
  },
)

test(
  'sets up a second factor with an authenticator code, and shows recovery codes once',
  chromium,
  async () => {
    await press(page, 'Set up')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    const key = (await dialog.getByTestId('totp-key').innerText()).replaceAll(' ', '')
    uri = `otpauth://totp/x?secret=${key}`
    await typeCode(page, '000000')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Wrong code').waitFor()
    await typeCode(page, codeOf(uri))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    recovery = await dialog.getByRole('listitem').allInnerTexts()
    assert.ok(recovery.length >= 8)
    await press(page, 'I’ve saved them')
    await page.getByText('On', { exact: true }).waitFor()
  },
)

test(
  'then requires an authenticator code or an unused recovery code besides the password',
  chromium,
  async () => {
    await signOut(page)
    await signIn(page, email, password)
    await typeCode(page, codeOf(uri, 1))
    await inbox(page)
    await signOut(page)
    await signIn(page, email, password)
    await press(page, 'Use recovery code')
    await page.getByLabel('Recovery code').fill(recovery[0]!)
    await press(page, 'Continue')
    await inbox(page)
    await signOut(page)
    await signIn(page, email, password)
    await press(page, 'Use recovery code')
    await page.getByLabel('Recovery code').fill(recovery[0]!)
    await press(page, 'Continue')
    await page.getByText('This recovery code is wrong or already used. Try another.').waitFor()
    await page.getByLabel('Recovery code').fill(recovery[1]!)
    await press(page, 'Continue')
    await inbox(page)
  },
)

test('shows an invitation link to pass on, and lets its recipient join', chromium, async () => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await press(page, 'Invite')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address').fill('omar@example.com')
  await dialog.getByRole('button', { name: 'Send invite' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Omar')
  await dialog.getByRole('button', { name: 'Send invite' }).click()
  const link = new URL(await dialog.getByRole('textbox', { name: 'Link' }).inputValue())
  // The link is shown only once, so Escape must not close the dialog.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const omar = await dashboard.open()
  await omar.goto(link.pathname)
  await heading(omar, 'Join Acme')
  await omar.getByLabel('Password', { exact: true }).fill(password)
  await press(omar, 'Create account')
  await inbox(omar)
  await omar.getByRole('link', { name: 'Settings' }).click()
  await omar.getByText('omar@example.com').waitFor()
  assert.equal(await omar.getByRole('button', { name: 'Invite', exact: true }).count(), 0)
})

test(
  'asks for the password in a dialog when the session was ended elsewhere, and loses nothing typed',
  chromium,
  async () => {
    const olga = await joinProject(dashboard.server, dashboard.server.acme, { role: 'owner', name: 'Olga' })
    const page = await dashboard.open(olga)
    await page.goto('/account/profile')
    await page.getByLabel('Name').fill('Olga the Second')
    const elsewhere = await dashboard.open()
    await elsewhere.goto('/account/sessions')
    await signIn(elsewhere, olga.email, password)
    await elsewhere.getByRole('button', { name: 'End all other sessions' }).waitFor()
    // If the session ended earlier, the page might notice and ask before anything is saved.
    let isEnded = false
    const endSession = async (route: Route) => {
      if (route.request().method() !== 'PATCH' || isEnded) return route.fallback()
      isEnded = true
      await press(elsewhere, 'End all other sessions')
      await elsewhere.getByText('All other sessions ended').waitFor()
      await route.fallback()
    }
    await page.route('**/api/dashboard/me', endSession)
    const details = page.locator('form').filter({ has: page.getByLabel('Name') })
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Email address').inputValue(), olga.email)
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await olga.own.get('/me')).status, 401)
    await page.getByRole('button', { name: 'Olga the Second: You' }).waitFor()
  },
)

test('allows signing in with the keyboard alone', chromium, async () => {
  const omar = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Omar' })
  const page = await dashboard.open()
  await page.goto('/')
  await heading(page, 'Sign in to Deskbell')
  const isIn = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate(one => one.matches(':focus'))
  for (let times = 0; times < 5 && !(await isIn('Email address')); times++) await page.keyboard.press('Tab')
  await page.keyboard.type(omar.email)
  await page.keyboard.press('Tab')
  assert.ok(await isIn('Password'))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await inbox(page)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
})

test('signs in with a passkey that was added before', chromium, async () => {
  const olga = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Olga' })
  const page = await dashboard.open(olga)
  await addAuthenticator(page)
  await page.goto('/account/security')
  await press(page, 'Add passkey')
  await page.getByText('Passkey added').waitFor()
  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await inbox(page)
})

test('slows down password guessing, and says how long to wait', chromium, async () => {
  const omar = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Omar' })
  const page = await dashboard.open()
  await page.goto('/')
  for (let times = 0; times < 6; times++) {
    await page.getByLabel('Email address').waitFor()
    const [answer] = await Promise.all([
      page.waitForResponse('**/sign-in/email'),
      signIn(page, omar.email, `wrong horse ${times}`),
    ])
    assert.equal(answer.status(), times < 5 ? 401 : 429)
  }
  await page.getByText(/Too many attempts. Try again in \d+ seconds/).waitFor()
})

test(
  'sends a person without a second factor to set one up if the project requires it',
  chromium,
  async () => {
    const { db, rival } = dashboard.server
    const rita = await joinProject(dashboard.server, rival, { name: 'Rita' })
    await db`update projects set requires_second_factor = true where id = ${rival.id}`
    const page = await dashboard.open(rita)
    await page.goto('/')
    await page.getByText('Your project requires two-factor authentication').waitFor()
    assert.equal(new URL(page.url()).pathname, '/account/security')
  },
)
