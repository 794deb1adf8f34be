import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createLink } from '../../src/users/users.ts'
import { putPlans } from '../billing/price-list.ts'
import { listBarriers } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { type Dashboard, openDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { pagesForAll, pagesOfPerson, type Values } from '../pages.ts'

const chromium = needs('chromium')

let dashboard: Dashboard
let olga: Person
let values: Values
before(async () => {
  if (chromium.skip) return
  dashboard = await openDashboard()
  const { server } = dashboard
  const { api, acme, db } = server
  olga = await joinProject(server, acme, { name: 'Olga', role: 'owner' })
  await joinProject(server, acme, { name: 'Omar '.repeat(12) })
  await putPlans(db)
  await olga.api.post('/tags', { name: 'vip', color: '#be123c' })
  const ticket = await makeTicket(api)
  const article = await olga.api.post('/knowledge/articles', { title: 'A', markdown: '# B' })
  const webhook = await olga.api.post('/webhooks', { url: `https://example.com/${'long/'.repeat(20)}` })
  values = {
    token: (await createLink(db, { purpose: 'set_up', project_id: acme.id })).token,
    projectId: acme.id,
    number: ticket.short_id,
    contactId: ticket.contact_id,
    articleId: article.body.id,
    webhookId: webhook.body.id,
  }
})
after(() => dashboard?.close())

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.getByRole('status', { name: 'Loading …' }).first().waitFor({ state: 'detached' })
}

async function check(paths: string[], person: Person | null, dir: string, options: BrowserContextOptions) {
  const page = await dashboard.open(person, { ...options, reducedMotion: 'reduce' })
  await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  for (const path of paths) {
    await show(page, path)
    assert.equal(await page.evaluate('document.documentElement.dir'), dir)
    assert.deepEqual(await listBarriers(page), [], path)
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path)
  }
  await page.context().close()
}

// Colours of projects that nobody could read as they are.
for (const [colorScheme, width, dir, color] of [
  ['light', 320, 'ltr', '#ffe600'],
  ['dark', 1440, 'ltr', '#0b0b3a'],
  ['light', 1024, 'rtl', '#2b5cee'],
  ['dark', 390, 'rtl', '#2b5cee'],
] as const) {
  test(`no page has a barrier or is too wide at ${width} px, ${colorScheme}, ${dir}`, chromium, async () => {
    const { db, acme } = dashboard.server
    await db`update projects set color = ${color} where id = ${acme.id}`
    const options = { colorScheme, viewport: { width, height: 800 } }
    await check(pagesForAll(values), null, dir, options)
    await check(pagesOfPerson(values), olga, dir, options)
  })
}
