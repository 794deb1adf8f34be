import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { unique } from '../cast.ts'
import { type Dashboard, openDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { type Claims, startProvider } from '../oidc.ts'
import { joinProject, type Person } from '../operator.ts'
import { freePort } from '../run/program.ts'

const chromium = needs('chromium')

let provider: Awaited<ReturnType<typeof startProvider>>
let dashboard: Dashboard
let olga: Person
before(async () => {
  if (chromium.skip) return
  provider = await startProvider()
  // The provider sends people back to PUBLIC_URL, which must be known before the server is there.
  const port = await freePort()
  const config = {
    port,
    publicUrl: `http://localhost:${port}`,
    oidcIssuer: provider.issuer,
    oidcClientId: 'deskbell',
    oidcClientSecret: 'secret',
    oidcName: 'Example ID',
  }
  dashboard = await openDashboard({ config })
  olga = await joinProject(dashboard.server, dashboard.server.acme, { name: 'Olga', role: 'owner' })
})
after(async () => {
  await dashboard?.close()
  await provider?.close()
})

const claimsOf = (email: string): Claims => ({ sub: email, email, email_verified: true, name: 'Nina' })

/** From the sign-in page to the provider, and back to wherever that leads. */
async function comeBack(path = '/sign-in'): Promise<Page> {
  const page = await dashboard.open(null)
  await page.goto(path)
  await page.getByRole('button', { name: /Example ID/ }).click()
  return page
}

const refused = (page: Page, words: RegExp) => page.getByRole('alert').filter({ hasText: words }).waitFor()
const isSignedIn = async (page: Page) => (await page.request.get('/api/dashboard/me')).status() === 200

test(
  'who was invited signs in at the provider, joins, and comes to the inbox from then on',
  chromium,
  async () => {
    const email = `${unique()}@example.com`
    const { body } = await olga.api.post('/operators', { name: 'Nina', email })
    provider.expect(claimsOf(email))
    const page = await comeBack()
    await page.getByRole('heading', { name: 'You are in no project' }).waitFor()
    await page.goto(new URL(body.link.url).pathname)
    await page.getByRole('button', { name: /^Join/ }).click()
    await page.getByRole('heading', { name: 'No ticket is open' }).waitFor()
    await page.context().close()
    const again = await comeBack(`/sign-in?next=/p/${dashboard.server.acme.id}/contacts`)
    await again.waitForURL('**/contacts')
    await again.getByRole('heading', { name: 'Contacts' }).waitFor()
  },
)

test('whom nobody has invited is told so, and is not signed in', chromium, async () => {
  provider.expect(claimsOf(`${unique()}@example.com`))
  const page = await comeBack()
  await refused(page, /invit/i)
  assert.equal(await isSignedIn(page), false)
})

test('an answer with another state signs nobody in, and the page says that it failed', chromium, async () => {
  const email = `${unique()}@example.com`
  await olga.api.post('/operators', { name: 'Nina', email })
  provider.expect(claimsOf(email), 'forged')
  const page = await comeBack()
  await refused(page, /./)
  assert.equal(await isSignedIn(page), false)
})
