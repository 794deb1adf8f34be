import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { guides } from '../../src/docs/guides.ts'
import { listAccessibilityViolations } from '../browser.ts'
import { openChromium } from '../chromium.ts'
import { needs } from '../needs.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let browser: Browser
let base: string

const chromium = needs('chromium')

before(async () => {
  if (chromium.skip) return
  server = await startServer({ delivers: false })
  base = `${new URL(server.url).origin}/docs`
  browser = await openChromium()
})
after(async () => {
  await browser?.close()
  await server?.close()
})

const schemes = ['light', 'dark'] as const

async function open(path: string, colorScheme: 'light' | 'dark', width = 1280): Promise<Page> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
  await page.goto(base + path)
  return page
}

/** Elements that are wider than the window and do not scroll. */
const listWide = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
  .filter(element => element.getBoundingClientRect().right > innerWidth && !element.closest('.wide'))
  .map(element => element.outerHTML)`

for (const colorScheme of schemes) {
  test(`the API reference has no accessibility violations in ${colorScheme} colours`, chromium, async () => {
    const page = await open('#/Tickets/createTicket', colorScheme)
    await page.locator('#operations-Tickets-createTicket .responses-inner').waitFor({ timeout: 120_000 })
    assert.deepEqual(await listAccessibilityViolations(page), [])
    await page.close()
  })
}

for (const [at, name] of ['guides', ...Object.keys(guides)].entries()) {
  const colorScheme = schemes[at % 2]!
  test(
    `the page ${name} has no accessibility violations in ${colorScheme} colours, and fits a phone`,
    chromium,
    async () => {
      const page = await open(`/${name}`, colorScheme, 375)
      assert.deepEqual(await listAccessibilityViolations(page), [])
      assert.deepEqual(await page.evaluate(listWide), [])
      await page.close()
    },
  )
}
