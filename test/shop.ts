import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  FrameLocator,
  Locator,
  Page,
} from 'playwright-core'
import { untilIn } from './browser.ts'
import { type Member, unique } from './cast.ts'
import { openChromium } from './chromium.ts'
import { joinProject, type Person } from './operator.ts'
import { startServer, type TestServer } from './server.ts'

/** A shop on another origin than Deskbell, with styles that try to break the widget. */

const hostile = `
body *, deskbell-widget { display: none !important; all: unset !important; visibility: hidden !important; opacity: 0 !important;
  position: static !important; transform: scale(0) !important; pointer-events: none !important; width: 0 !important; z-index: -1 !important }
iframe, button { border: 9px solid red !important; filter: blur(9px) !important }`

/** The page's script. Its policy forbids inline scripts. */
const own = `
window.receivedEvents = []
window.Deskbell = (...call) => Deskbell.q.push(call)
Deskbell.q = []
for (const name of ['ready', 'open', 'close', 'unread', 'message', 'identified', 'error'])
  Deskbell('on', name, detail => receivedEvents.push([name, detail]))
const given = new URLSearchParams(location.search).get('boot')
if (given) Deskbell('boot', JSON.parse(given))`

const pageOf = (
  desk: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/hostile.css">
<script src="/own.js"></script><script async src="${desk}/widget.js"></script></head>
<body><main><h1>Shop</h1><button id="first">Buy</button></main></body></html>`

const policyOf = (desk: string) =>
  `default-src 'none'; script-src 'self' ${desk}; style-src 'self'; frame-src ${desk}; base-uri 'none'; require-trusted-types-for 'script'`

async function startSite(desk: string): Promise<http.Server> {
  const answers: Record<string, [string, string]> = {
    '/hostile.css': ['text/css', hostile],
    '/own.js': ['text/javascript', own],
  }
  const site = http.createServer(({ url }, reply) => {
    const [type, body] = answers[url!.split('?')[0]!] ?? ['text/html; charset=utf-8', pageOf(desk)]
    reply.writeHead(200, { 'content-type': type, 'content-security-policy': policyOf(desk) }).end(body)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  return site
}

export interface Shop {
  server: TestServer
  browser: Browser
  /** The origins of Deskbell and of the shop. */
  desk: string
  site: string
  olga: Person
  project: Member
  /** Opens a new browser, or a tab of an existing one, until the test ends. */
  visit(options?: Visit, context?: BrowserContext): Promise<Page>
  close(): Promise<void>
}

interface Visit extends BrowserContextOptions {
  boot?: Record<string, unknown> | null
  hash?: string
}

export async function openShop(choices: Record<string, unknown> = {}): Promise<Shop> {
  const server = await startServer({ delivers: false })
  const desk = `http://localhost:${new URL(server.url).port}`
  const shop = await startSite(desk)
  const site = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const browser = await openChromium()
  const project = server.acme
  const olga = await joinProject(server, project, { name: 'Olga Berg', role: 'owner' })
  await olga.api.patch('/widget', { is_on: true, allowed_domains: [new URL(site).host], ...choices })
  return {
    ...{ server, browser, desk, site, olga, project },
    async visit({ boot = {}, hash = '', locale = 'en-GB', ...options } = {}, context) {
      const own = context ?? (await browser.newContext({ locale, ...options }))
      const page = await own.newPage()
      const given = boot && encodeURIComponent(JSON.stringify({ project: project.id, ...boot }))
      await page.goto(`${site}/${given ? `?boot=${given}` : ''}${hash}`)
      if (boot) await launcher(page).waitFor({ state: 'attached' })
      return page
    },
    async close() {
      await browser.close()
      shop.closeAllConnections()
      shop.close()
      await server.close()
    },
  }
}

export const launcher = (page: Page) => page.locator('deskbell-widget .button')
export const chat = (page: Page): FrameLocator => page.frameLocator('deskbell-widget iframe')

export async function openChat(page: Page): Promise<FrameLocator> {
  await launcher(page).click()
  await chat(page).getByRole('heading', { level: 1 }).waitFor()
  return chat(page)
}

export async function write(frame: FrameLocator, words: string): Promise<void> {
  await frame.getByRole('textbox', { name: 'Message' }).fill(words)
  await frame.getByRole('button', { name: 'Send' }).click()
}

/** Starts a conversation, waits until the server has it, and returns the id of its ticket. */
export async function begin(page: Page, words: string): Promise<string> {
  const frame = await openChat(page)
  await frame.getByRole('button', { name: /Send us a message|Start a new conversation/ }).click()
  const made = page.waitForResponse(
    one => one.url().endsWith('/tickets') && one.request().method() === 'POST',
  )
  const [answer] = await Promise.all([made, write(frame, words)])
  const { id } = (await answer.json()) as { id: string }
  await frame.getByText('· Sent').waitFor()
  return id
}

/** The details of each event of this name that the page received. */
export const receivedEvents = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate(`receivedEvents.filter(([name]) => name === '${name}').map(([, detail]) => detail)`)

/** Calls the page's `Deskbell` function. */
export const call = (page: Page, ...args: unknown[]): Promise<void> =>
  page.evaluate(`void Deskbell(...${JSON.stringify(args)})`)

export const field = (page: Page): Locator => chat(page).getByRole('textbox', { name: 'Message' })
/** The button that starts a new conversation. */
export const start = (page: Page): Locator => chat(page).locator('.start')
export const sent = (page: Page): Promise<void> => chat(page).getByText('· Sent').waitFor()

/** The tickets with this message, one row per occurrence, with the external id of the contact. */
export const find = ({ server, project }: Shop, words: string) => server.db<
  { ticket_id: string; external_id: string | null }[]
>`
  select m.ticket_id, c.external_id from messages m
  join tickets t on t.project_id = m.project_id and t.id = m.ticket_id
  join contacts c on c.project_id = t.project_id and c.id = t.contact_id
  where m.project_id = ${project.id} and m.content = ${words}`

/** Creates people whom the page may identify. Each call returns a new person with the site's signature. */
export async function openIdentities(shop: Shop) {
  const { secret } = (await shop.olga.api.post('/widget/secret')).body
  return () => {
    const id = unique()
    const signature = createHmac('sha256', secret).update(id).digest('hex')
    return { user: { id, email: `${id}@example.com`, name: 'Vera Voss', plan: 'gold' }, signature }
  }
}
export type Someone = Awaited<ReturnType<typeof openIdentities>>

/** Waits until the page has received an `identified` event. */
export const identified = (page: Page) =>
  untilIn(page, "receivedEvents.some(([name]) => name === 'identified')")

/** Makes the server reject all tokens that it has issued. */
export const refuseAll = ({ server, project }: Shop) => server.db`
  update visitors set token_hash = sha256(id::text::bytea) where project_id = ${project.id}`

/** Writes a message that waits until the browser is online again. */
export async function writeOffline(page: Page, words: string): Promise<void> {
  await page.context().setOffline(true)
  await write(chat(page), words)
  await chat(page).getByText('Will send when you’re back online').waitFor()
}

export const addFile = (page: Page, name: string): Promise<void> =>
  chat(page)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })

export const uploaded = (page: Page): Promise<void> =>
  chat(page).locator('.upload:not(.is-failed, :has(progress))').waitFor()
