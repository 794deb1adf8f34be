import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { holdBack, listAccessibilityViolations, untilIn } from '../browser.ts'
import { makeTicket } from '../cast.ts'
import { useDashboard } from '../dashboard.ts'
import { needs } from '../needs.ts'
import { tabTo } from '../tab-to.ts'
import { until } from '../until.ts'

const chromium = needs('chromium')

const dashboard = useDashboard(async ({ server }) => {
  await makeTicket(server.api, { subject: 'Wide enough', content: 'Hello' })
})
const { olga } = dashboard

async function openInbox(dir = 'ltr', width = 1500): Promise<Page> {
  const page = await dashboard.open(olga, { viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  await page.addInitScript(`if (!localStorage.deskbell) localStorage.setItem('deskbell', '{"dir":"${dir}"}')`)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open`)
  await page.getByRole('link', { name: /Wide enough/ }).click()
  await page.getByRole('log').waitFor()
  return page
}

const divider = (page: Page, name: string) => page.getByRole('separator', { name: `Width of the ${name}` })
const list = (page: Page) => page.getByRole('region', { name: 'Tickets' })
const widthOf = async (place: Locator) => (await place.boundingBox())!.width
const untilWide = (place: Locator, width: number) =>
  until(async () => Math.abs((await widthOf(place)) - width) < 2)

for (const [dir, wider] of [
  ['ltr', 'ArrowRight'],
  ['rtl', 'ArrowLeft'],
] as const) {
  test(`keys change the width of the list, and a reload keeps it, ${dir}`, chromium, async () => {
    const page = await openInbox(dir)
    const before = await widthOf(list(page))
    await divider(page, 'list').press(wider)
    await untilWide(list(page), before + 16)
    assert.equal(await divider(page, 'list').getAttribute('aria-valuenow'), String(before + 16))
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await divider(page, 'list').press('Home')
    await untilWide(list(page), 272)
    await divider(page, 'list').press('End')
    await until(async () => (await widthOf(list(page))) > 500)
    const widest = await widthOf(list(page))
    await page.reload()
    await page.getByRole('log').waitFor()
    await untilWide(list(page), widest)
    await divider(page, 'list').dblclick()
    await untilWide(list(page), before)
  })
}

const panesOf = (page: Page): Record<string, Locator> => ({
  views: page.getByRole('navigation', { name: 'Views' }),
  list: list(page),
  'contact panel': page.getByRole('complementary', { name: 'Contact' }),
})

test('Tab reaches the divider of each pane, and arrow keys move it', chromium, async () => {
  const page = await openInbox()
  for (const [name, pane] of Object.entries(panesOf(page))) {
    const before = await widthOf(pane)
    await tabTo(page, `Width of the ${name}`, 'separator')
    await page.keyboard.press(name === 'contact panel' ? 'ArrowLeft' : 'ArrowRight')
    await untilWide(pane, before + 16)
  }
})

test('the views, the list and the contact panel are dragged to another width', chromium, async () => {
  const page = await openInbox()
  for (const [name, pane] of Object.entries(panesOf(page))) {
    const before = await widthOf(pane)
    const { x, width } = (await divider(page, name).boundingBox())!
    const grows = name === 'contact panel' ? -1 : 1
    await page.mouse.move(x + width / 2, 400)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 + grows * 40, 400, { steps: 4 })
    await page.mouse.up()
    await untilWide(pane, before + 40)
  }
})

test('a phone has no dividers', chromium, async () => {
  const page = await openInbox('ltr', 390)
  await untilIn(page, `document.querySelector('[role=separator]') !== null`)
  assert.equal(await page.getByRole('separator').filter({ visible: true }).count(), 0)
})

test('buttons do not move when the rest of the page has loaded', chromium, async () => {
  const page = await dashboard.open(olga, { viewport: { width: 1500, height: 800 }, reducedMotion: 'reduce' })
  const rest = await holdBack(page, 'GET', /\/assets\/(side-panel|save-view)-.*\.js$/)
  await page.goto(`/p/${dashboard.server.acme.id}/inbox/open/1`)
  const names = ['Add filter', 'Display', 'New ticket', 'More actions', 'Close']
  for (const name of names) await page.getByRole('button', { name, exact: true }).first().waitFor()
  // All in one call, because a button may be replaced by its loaded version between two calls.
  const placesOf = () =>
    page.evaluate<unknown>(`Object.fromEntries(${JSON.stringify(names)}.map(name => {
      const { x, y, width, height } = document.querySelector('[aria-label="' + name + '"]').getBoundingClientRect()
      return [name, { x, y, width, height }]
    }))`)
  await rest.answered
  const before = await placesOf()
  rest.release()
  await page.getByRole('complementary', { name: 'Contact' }).waitFor()
  assert.deepEqual(await placesOf(), before)
})
