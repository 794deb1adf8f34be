import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listAccessibilityViolations } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { joinProject } from '../operator.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(async ({ server, olga }) => {
  await joinProject(server, server.acme, { name: 'Omar' })
  for (const subject of ['Where is my order?', 'Refund']) {
    const contact = { full_name: 'Ann Lee', email: 'ann@example.com' }
    await makeTicket(server.api, { subject, contact, content: 'Hello', operator_id: olga.id })
  }
  await makeTicket(server.api, { subject: 'Free', content: 'Hello' })
})
const { olga } = dashboard

async function openDay(options = {}): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width: 1440, height: 900 }, ...options })
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open`)
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  return page
}

const countIn = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^\\d+ ${name}$`) })

test(
  'the first screen shows the day, and each number opens the list of as many tickets',
  chromium,
  async () => {
    const page = await openDay()
    for (const name of [
      'Assigned to me',
      'Unassigned in my departments',
      'Waiting over a day',
      'Closed by me today',
    ]) {
      const link = countIn(page, name)
      const count = Number((await link.textContent())?.match(/\d+/)?.[0])
      await link.click()
      await page.getByRole('list', { name, exact: true }).waitFor({ state: 'attached' })
      await page.locator('[aria-busy=false]').first().waitFor()
      const rows = page.getByRole('list', { name, exact: true }).getByRole('listitem')
      await until(async () => (await rows.count()) === count)
      await page.goBack()
    }
  },
)

test('Enter opens the ticket that waits longest, and so does a key from anywhere', chromium, async () => {
  const page = await openDay()
  const button = page.getByRole('button', { name: 'Open next' })
  await until(() => button.evaluate(one => one.matches(':focus')))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Where is my order?' }).waitFor()
  assert.match(page.url(), /inbox\/mine\/\d+$/)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/closed`)
  await button.waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('g')
  await page.getByRole('heading', { name: 'Where is my order?' }).waitFor()
})

test('the numbers follow what others do', chromium, async () => {
  const page = await openDay()
  const before = Number((await countIn(page, 'Assigned to me').textContent())?.match(/\d+/)?.[0])
  await makeTicket(dashboard.server.api, { content: 'New', operator_id: olga.id })
  await page.getByRole('link', { name: `${before + 1} Assigned to me` }).waitFor()
})

for (const look of [
  { colorScheme: 'light', dir: 'ltr' },
  { colorScheme: 'dark', dir: 'rtl' },
] as const)
  test(`the first screen is accessible: ${Object.values(look).join(', ')}`, chromium, async () => {
    const page = await dashboard.open(olga, {
      colorScheme: look.colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    })
    await page.addInitScript(`localStorage.setItem('deskbell', '{"dir":"${look.dir}"}')`)
    const { db, acme } = dashboard.server
    await db`update projects set has_first_steps = true, first_steps = '{}' where id = ${acme.id}`
    await page.goto(`/p/${acme.id}/inbox/open`)
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    assert.deepEqual(await listAccessibilityViolations(page), [])
    if (process.env.SHOTS) {
      await page.screenshot({ path: `${process.env.SHOTS}/day-${look.colorScheme}-${look.dir}.png` })
      await page.goto(`/p/${acme.id}/first-steps`)
      await page.getByRole('heading', { name: 'Get started' }).first().waitFor()
      await page.setViewportSize({ width: 320, height: 800 })
      await page.screenshot({ path: `${process.env.SHOTS}/steps-${look.colorScheme}-${look.dir}.png` })
    }
  })
