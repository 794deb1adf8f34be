import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { type Browser as Cookies, joinProject } from './operator.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

/** The dashboard in a real Chromium, on a server of its own. */
export interface Dashboard {
  server: TestServer
  browser: Browser
  base: string
  /** A window of its own until the test ends, signed in as this person or as nobody. */
  open(person?: Cookies | null, options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

export async function openDashboard(options: ServerOptions = {}): Promise<Dashboard> {
  const server = await startServer({ delivers: false, ...options })
  const browser = await openChromium()
  // Passkeys want a name, not an address.
  const base = `http://localhost:${new URL(server.url).port}`
  return {
    server,
    browser,
    base,
    async open(person, { locale = 'en-GB', ...rest } = {}) {
      const context = await browser.newContext({ locale, baseURL: base, ...rest })
      const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: base }))
      await context.addCookies(cookies)
      const page = await context.newPage()
      return page
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** A dashboard, and two of Acme who are signed in: Olga owns it, Omar works there. */
export async function openOffice() {
  const dashboard = await openDashboard()
  const { server } = dashboard
  const olga = await joinProject(server, server.acme, { name: 'Olga', role: 'owner' })
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  return { ...dashboard, olga, omar }
}

/** On the page to sign in, whichever led there. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
