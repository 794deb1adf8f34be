import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createLink } from '../src/users/users.ts'
import { putPlans } from './billing/price-list.ts'
import { listAccessibilityViolations, listSmallTargets, untilIn } from './browser.ts'
import { makeTicket } from './cast.ts'
import { useDashboard } from './dashboard.ts'
import { needs } from './needs.ts'
import { joinProject, type Person } from './operator.ts'
import { makeOrganization } from './organization.ts'
import { pagesForAll, pagesOfPerson, type Values } from './pages.ts'
import { insertBot } from './telegram/bots.ts'

const chromium = needs('chromium')

/** Checks every page of the dashboard in one look. Each look has its own test file, because checking all pages takes a long time. */

let values: Values
const dashboard = useDashboard(async ({ server, olga }) => {
  const { api, acme, db } = server
  await joinProject(server, acme, { name: 'Omar '.repeat(12) })
  await putPlans(db)
  await db`update projects set has_first_steps = true where id = ${acme.id}`
  await olga.api.post('/tags', { name: 'vip', color: '#be123c' })
  const ticket = await makeTicket(api)
  const organization = await makeOrganization(api, {
    name: 'Long '.repeat(40),
    domains: [`${'long'.repeat(14)}.example`],
  })
  await api.patch(`/contacts/${ticket.contact_id}`, { organization_id: organization.id })
  const article = await olga.api.post('/knowledge/articles', { title: 'A', markdown: '# B' })
  const webhook = await olga.api.post('/webhooks', { url: `https://example.com/${'long/'.repeat(20)}` })
  const mailbox = await olga.api.post('/mailboxes', {
    address: `${'long'.repeat(12)}@example.com`,
    incoming: 'imap',
    imap: { host: 'imap.example.com', password: 'secret' },
  })
  const channel = await olga.api.post('/channels', {
    name: 'long_'.repeat(6),
    title: `${'Messenger'.repeat(6)} 😀`,
  })
  values = {
    token: (await createLink(db, { purpose: 'set_up', project_id: acme.id })).token,
    projectId: acme.id,
    number: ticket.short_id,
    contactId: ticket.contact_id,
    organizationId: organization.id,
    articleId: article.body.id,
    webhookId: webhook.body.id,
    mailboxId: mailbox.body.id,
    channelId: channel.body.id,
    botId: await insertBot(server, acme, `${'long_'.repeat(6)}bot`),
  }
})
const { olga } = dashboard

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.getByRole('status', { name: 'Loading…' }).first().waitFor({ state: 'detached' })
}

/** A small phone, a phone, 1280 px at a zoom of 200 %, a tablet and a desktop. */
const widths = [320, 390, 640, 1024, 1440]

export interface Look {
  colorScheme: 'light' | 'dark'
  dir: 'ltr' | 'rtl'
  /** The width at which accessibility is checked. Overflow is checked at every width. */
  width: number
}

async function checkPages(paths: string[], person: Person | null, { dir, width, colorScheme }: Look) {
  const page = await dashboard.open(person, { colorScheme, reducedMotion: 'reduce' })
  await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  const problems: string[] = []
  for (const path of paths) {
    await show(page, path)
    assert.equal(await page.evaluate('document.documentElement.dir'), dir)
    for (const one of [...widths.filter(other => other !== width), width]) {
      await page.setViewportSize({ width: one, height: 800 })
      // Some parts change their layout one frame later.
      const fits = untilIn(page, 'document.documentElement.scrollWidth <= innerWidth')
      await fits.catch(() => problems.push(`${path} is wider than ${one} px`))
    }
    for (const found of [...(await listAccessibilityViolations(page)), ...(await listSmallTargets(page))])
      problems.push(`${path} ${found}`)
  }
  await page.context().close()
  assert.deepEqual(problems, [])
}

/** Adds a test of all pages in this look. `color` is the project's, which must stay readable. */
export const testEveryPage = (look: Look, color: string): void =>
  void test(
    `no page has accessibility violations or is too wide: ${Object.values(look).join(', ')}`,
    chromium,
    async () => {
      const { db, acme } = dashboard.server
      await db`update projects set color = ${color} where id = ${acme.id}`
      await checkPages(pagesForAll(values), null, look)
      await checkPages(pagesOfPerson(values), olga, look)
    },
  )
