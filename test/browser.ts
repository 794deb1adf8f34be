import assert from 'node:assert/strict'
import axe, { type AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserServer,
  chromium,
  type Frame,
  type LaunchOptions,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { findProgram } from './needs.ts'
import { until } from './until.ts'

/**
 * Options of Chromium. A frame of another site shares its page's process: where it has its own, the words and clicks of a
 * driver that is quicker than any hand are now and then lost.
 */
const launchOptions = (): LaunchOptions => ({
  executablePath: findProgram('chromium')!,
  args: ['--disable-site-isolation-trials'],
})

/** One Chromium for a whole run of tests; `openBrowser` of each process connects to it. */
export const launchBrowserServer = (): Promise<BrowserServer> => chromium.launchServer(launchOptions())

/** The Chromium of this run, or outside of one a new one; tests with it stand under `needs('chromium')`. */
export function openBrowser(): Promise<Browser> {
  const address = process.env.DESKBELL_TEST_BROWSER
  return address ? chromium.connect(address) : chromium.launch(launchOptions())
}

/** What people with a disability could stumble over on this page, by the rules that a program can check. */
export async function listBarriers(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe.source)
  // Targets of at least 24 px, or as far apart: WCAG 2.2, 2.5.8. The program leaves it out unless it is asked for.
  const run = "axe.run({ rules: { 'target-size': { enabled: true } } })"
  const { violations } = await page.evaluate<AxeResults>(run)
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}

/**
 * What a finger or a shaky hand misses: smaller than 24 px in one direction, with its label. Links within sentences are as high
 * as their line.
 */
export const listSmallTargets = (page: Page | Frame): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=option]')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('p, dd, td, .hidden'))
    .filter(one => {
      const boxes = [one, ...(one.labels ?? [])].map(part => part.getBoundingClientRect())
      const size = (from, to) => Math.max(...boxes.map(box => box[to])) - Math.min(...boxes.map(box => box[from]))
      const [width, height] = [size('left', 'right'), size('top', 'bottom')]
      return width > 1 && height > 1 && (width < 23.5 || height < 23.5)
    })
    .map(one => one.outerHTML.slice(0, 160))`)

interface Shown {
  ownerDocument: { defaultView: { getComputedStyle(one: Shown): Record<string, string> } }
}

/** For `evaluate` of a place: what a property of its style comes to. */
export const lookOf = (one: Shown, name: string): string =>
  one.ownerDocument.defaultView.getComputedStyle(one)[name]!

/** A field may be shown before what it holds. */
export const untilHolds = (field: Locator, value: string): Promise<unknown> =>
  until(async () => (await field.inputValue()) === value).catch(async () =>
    assert.equal(await field.inputValue(), value),
  )

/** Waits for an expression to hold. Playwright's own way to do so needs an eval, which the policy of a page of ours refuses. */
export async function untilIn(page: Page | Frame, expression: string): Promise<void> {
  await until(() => page.evaluate(expression)).catch(cause => {
    throw new Error(`It did not come to hold: ${expression}`, { cause })
  })
}

/** Keeps back what the server answers to the first of such calls, or to all, until `release` is called. */
export async function holdBack(page: Page, method: string, path: RegExp, most = Infinity) {
  let left = most
  const given = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  answered.promise.catch(() => {})
  await page.route(path, async route => {
    if (route.request().method() !== method || left-- <= 0) return route.fallback()
    // A page that was closed meanwhile fails what is under way; nobody waits for that any more.
    const response = await route.fetch().catch(answered.reject)
    if (!response) return
    answered.resolve()
    await given.promise
    await route.fulfill({ response }).catch(() => {})
  })
  return { answered: answered.promise, release: given.resolve }
}

/** A request that the page has an answer to, or gave up. */
export const untilEnded = (page: Page, isIt: (one: Request) => boolean): Promise<unknown> =>
  Promise.any([page.waitForEvent('requestfinished', isIt), page.waitForEvent('requestfailed', isIt)])

/** What has come by now is shown. */
export const untilDrawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
