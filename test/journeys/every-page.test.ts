import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createLink } from '../../src/users/users.ts'
import { putPlans } from '../billing/price-list.ts'
import { listAccessibilityViolations, listSmallTargets, untilIn } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject, type Person } from '../operator.ts'
import { pagesForAll, pagesOfPerson, type Values } from '../pages.ts'

const chromium = needs('chromium')

let values: Values
const dashboard = useDashboard(async ({ server, olga }) => {
  const { api, acme, db } = server
  await joinProject(server, acme, { name: 'Omar '.repeat(12) })
  await putPlans(db)
  await olga.api.post('/tags', { name: 'vip', color: '#be123c' })
  const ticket = await makeTicket(api)
  const article = await olga.api.post('/knowledge/articles', { title: 'A', markdown: '# B' })
  const webhook = await olga.api.post('/webhooks', { url: `https://example.com/${'long/'.repeat(20)}` })
  const mailbox = await olga.api.post('/mailboxes', {
    address: `${'long'.repeat(12)}@example.com`,
    incoming: 'imap',
    imap: { host: 'imap.example.com', password: 'secret' },
  })
  values = {
    token: (await createLink(db, { purpose: 'set_up', project_id: acme.id })).token,
    projectId: acme.id,
    number: ticket.short_id,
    contactId: ticket.contact_id,
    articleId: article.body.id,
    webhookId: webhook.body.id,
    mailboxId: mailbox.body.id,
  }
})
const { olga } = dashboard

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.getByRole('status', { name: 'Loading…' }).first().waitFor({ state: 'detached' })
}

/** A phone, a phone in landscape, a tablet and a desktop. */
const widths = [320, 390, 1024, 1440]

interface Look {
  colorScheme: 'light' | 'dark'
  dir: 'ltr' | 'rtl'
  /** The width at which accessibility is checked. Overflow is checked at every width. */
  width: number
}

async function check(paths: string[], person: Person | null, { dir, width, colorScheme }: Look) {
  const page = await dashboard.open(person, { colorScheme, reducedMotion: 'reduce' })
  await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  for (const path of paths) {
    await show(page, path)
    assert.equal(await page.evaluate('document.documentElement.dir'), dir)
    for (const one of [...widths.filter(other => other !== width), width]) {
      await page.setViewportSize({ width: one, height: 800 })
      // Some parts change their layout one frame later.
      const fits = untilIn(page, 'document.documentElement.scrollWidth <= innerWidth')
      await fits.catch(() => assert.fail(`${path} is wider than ${one} px`))
    }
    assert.deepEqual(await listAccessibilityViolations(page), [], path)
    assert.deepEqual(await listSmallTargets(page), [], path)
  }
  await page.context().close()
}

// Project colours that would be unreadable without correction.
for (const [look, color] of [
  [{ colorScheme: 'light', width: 320, dir: 'ltr' }, '#ffe600'],
  [{ colorScheme: 'dark', width: 1440, dir: 'rtl' }, '#0b0b3a'],
] as [Look, string][]) {
  test(
    `no page has accessibility violations or is too wide: ${Object.values(look).join(', ')}`,
    chromium,
    async () => {
      const { db, acme } = dashboard.server
      await db`update projects set color = ${color} where id = ${acme.id}`
      await check(pagesForAll(values), null, look)
      await check(pagesOfPerson(values), olga, look)
    },
  )
}
