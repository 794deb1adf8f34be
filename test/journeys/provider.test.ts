import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createLink } from '../../src/users/users.ts'
import { unique } from '../cast.ts'
import { type Dashboard, openDashboard, signIn } from '../dashboard.ts'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { startProvider } from '../oidc.ts'
import { joinProject, type Person, password } from '../operator.ts'

const chromium = needs('chromium')

let provider: Awaited<ReturnType<typeof startProvider>>
let dashboard: Dashboard
let olga: Person
before(async () => {
  if (chromium.skip) return
  // The provider sends people back to PUBLIC_URL, so the port must be known before the server starts.
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  provider = await startProvider(publicUrl)
  dashboard = await openDashboard({ config: { ...provider.settings, port, publicUrl, oidcSignOut: 'on' } })
  olga = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Olga', role: 'owner' })
})
after(async () => {
  await dashboard?.close()
  await provider?.close()
})

function newcomer(verified: { email_verified?: boolean } = { email_verified: true }): string {
  const email = `${unique()}@example.com`
  provider.know({ email, name: 'Nina', ...verified })
  return email
}

/** Goes to the provider, signs in there with an address, and returns to the page that follows. */
async function goThere(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
  await page.getByLabel('Who are you?').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function open(path: string): Promise<Page> {
  const page = await dashboard.open(null)
  await page.goto(path)
  return page
}

const inbox = (page: Page) => page.getByRole('heading', { name: 'Today' }).waitFor()
const refused = (page: Page, words: RegExp) => page.getByRole('alert').filter({ hasText: words }).waitFor()

test(
  'lets the first owner and an invited person join from their links through the provider',
  chromium,
  async () => {
    const { db, rival } = dashboard.server
    const setUp = await createLink(db, { purpose: 'set_up', project_id: rival.id })
    const owner = await open(`/link/${setUp.token}`)
    await goThere(owner, newcomer())
    await inbox(owner)
    const { body } = await olga.api.post('/operators', { name: 'Nina', email: newcomer() })
    const page = await open(new URL(body.link.url).pathname)
    await goThere(page, newcomer())
    await inbox(page)
  },
)

test(
  'joins an invited person at the first sign-in, and signs out of the provider too',
  chromium,
  async () => {
    const email = newcomer()
    await olga.api.post('/operators', { name: 'Nina', email })
    const page = await open(`/sign-in?next=/p/${dashboard.server.acme.id}/contacts`)
    await goThere(page, email)
    await page.waitForURL('**/contacts')
    await page.getByRole('button', { name: 'Nina' }).first().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByRole('button', { name: 'Sign in with Example ID' }).click()
    await page.getByLabel('Who are you?').waitFor()
  },
)

test(
  'tells a person with a password how to connect the provider, and connects it after one sign-in',
  chromium,
  async () => {
    const person = await joinProject(dashboard.server, dashboard.server.acme)
    provider.know({ email: person.email, email_verified: true })
    const page = await open('/sign-in')
    await goThere(page, person.email)
    await refused(page, /isn’t connected to Example ID yet. Sign in with your password once/)
    await signIn(page, person.email, password)
    await inbox(page)
    await page.goto('/account/security')
    await page.getByText('Connected', { exact: true }).waitFor()
    const again = await open('/sign-in')
    await goThere(again, person.email)
    await inbox(again)
  },
)

test('signing in with a password at an invitation connects the provider and joins', chromium, async () => {
  const { server } = dashboard
  const person = await joinProject(server, server.acme)
  const rita = await joinProject(server, server.rival, { name: 'Rita', role: 'owner' })
  provider.know({ email: person.email, email_verified: true })
  const { body } = await rita.api.post('/operators', { name: 'Nina', email: person.email })
  const page = await open(new URL(body.link.url).pathname)
  await goThere(page, person.email)
  await refused(page, /isn’t connected to Example ID yet. Sign in with your password once/)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await inbox(page)
  assert.equal((await person.own.get('/me')).body.memberships.length, 2)
  const again = await open('/sign-in')
  await goThere(again, person.email)
  await inbox(again)
})

test(
  'names the reason on the sign-in page when the provider does not let a person in',
  chromium,
  async () => {
    const page = await open('/sign-in')
    await goThere(page, newcomer())
    await refused(page, /No account or pending invite for your Example ID address/)
    await page.context().clearCookies()
    const email = newcomer({})
    await olga.api.post('/operators', { name: 'Nina', email })
    await goThere(page, email)
    await refused(page, /doesn’t confirm that your email address is verified/)
    await page.goto('/sign-in?error=<b>call+0900</b>')
    await refused(page, /Couldn’t sign in with Example ID \(\?\)/)
    assert.equal((await page.request.get('/api/dashboard/me')).status(), 401)
  },
)
