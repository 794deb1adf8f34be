import { after, before } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { keepFirstKey } from './browser.ts'
import { openChromium } from './chromium.ts'
import { isInstalled } from './needs.ts'
import { type Browser as Cookies, joinProject, type Person } from './operator.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

/** The dashboard in a real Chromium, with its own server. */
export interface Dashboard {
  server: TestServer
  browser: Browser
  base: string
  /** Opens a new window until the test ends, signed in as this person or not signed in. */
  open(person?: Cookies | null, options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

export async function openDashboard(options: ServerOptions = {}): Promise<Dashboard> {
  const server = await startServer({ delivers: false, ...options })
  const browser = await openChromium()
  // Passkeys need a host name, not an IP address.
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
      await keepFirstKey(page)
      return page
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** A dashboard in which Olga, the owner of Acme, is signed in. */
export interface OwnerDashboard extends Dashboard {
  olga: Person
}

/**
 * Opens a dashboard before the first test of a file and closes it after the last. `olga` may be destructured
 * at once.
 */
export function useDashboard(
  prepare?: (dashboard: OwnerDashboard) => unknown,
  options: ServerOptions = {},
): OwnerDashboard {
  const dashboard = { olga: {} } as OwnerDashboard
  before(async () => {
    if (!isInstalled('chromium')) return
    Object.assign(dashboard, await openDashboard(options))
    const { server, olga } = dashboard
    Object.assign(olga, await joinProject(server, server.acme, { name: 'Olga', role: 'owner' }))
    await prepare?.(dashboard)
  })
  after(() => dashboard.close?.())
  return dashboard
}

/** Signs in on the sign-in page, which must be open. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
