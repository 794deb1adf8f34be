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
import { wordsIn } from './editor.ts'
import { findProgram } from './needs.ts'
import { until } from './until.ts'

/**
 * Launch options of Chromium. An embedded frame shares the process of its page: in a separate process, fast
 * typing and clicking by a test would occasionally be lost.
 */
const launchOptions = (): LaunchOptions => ({
  executablePath: findProgram('chromium')!,
  args: ['--disable-site-isolation-trials'],
})

/** One Chromium for a whole test run. `openBrowser` in each process connects to it. */
export const launchBrowserServer = (): Promise<BrowserServer> => chromium.launchServer(launchOptions())

/** The Chromium of this run, or a new one outside of a run. Tests that use it need `needs('chromium')`. */
export function openBrowser(): Promise<Browser> {
  const address = process.env.DESKBELL_TEST_BROWSER
  return address ? chromium.connect(address) : chromium.launch(launchOptions())
}

/** The accessibility violations in this part of the page that a program can detect. */
async function runAxe(page: Page | Frame, part: string): Promise<string[]> {
  await page.evaluate(axe.source)
  // Target sizes of at least 24 px or a matching distance (WCAG 2.2, 2.5.8) are off by default.
  const run = `axe.run(${part}, { rules: { 'target-size': { enabled: true } } })`
  const { violations } = await page.evaluate<AxeResults>(run)
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}

export const listAccessibilityViolations = (page: Page | Frame): Promise<string[]> => runAxe(page, 'document')

/** Those in one element, which takes less time. */
export async function listViolationsIn(page: Page, element: Locator): Promise<string[]> {
  await element.evaluate<void, { dataset: Record<string, string> }>(({ dataset }) => {
    dataset.examined = 'yes'
  })
  return runAxe(page, `'[data-examined]'`)
}

/**
 * Click targets that are smaller than 24 px in one direction, including their label. Links within sentences
 * are exempt, because they are as high as their line.
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

/** For `evaluate` of a locator: the computed value of a style property. */
export const lookOf = (one: Shown, name: string): string =>
  one.ownerDocument.defaultView.getComputedStyle(one)[name]!

/** Waits until the field has this value, which may be set after the field is shown. */
export const untilHolds = (field: Locator, value: string): Promise<unknown> =>
  until(async () => (await wordsIn(field)) === value).catch(async () =>
    assert.equal(await wordsIn(field), value),
  )

/**
 * Waits until an expression is true. Playwright's own function needs `eval`, which the content security
 * policy of our pages forbids.
 */
export async function untilIn(page: Page | Frame, expression: string): Promise<void> {
  await until(() => page.evaluate(expression)).catch(cause => {
    throw new Error(`It did not become true: ${expression}`, { cause })
  })
}

/** Holds back the responses to the first `maxCalls` matching calls until `release` is called. */
export async function holdBack(page: Page, method: string, path: RegExp, maxCalls = Infinity) {
  let left = maxCalls
  const given = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  answered.promise.catch(() => {})
  await page.route(path, async route => {
    if (route.request().method() !== method || left-- <= 0) return route.fallback()
    // A page that was closed by now fails its pending requests, and nobody waits for them.
    const response = await route.fetch().catch(answered.reject)
    if (!response) return
    answered.resolve()
    await given.promise
    await route.fulfill({ response }).catch(() => {})
  })
  return { answered: answered.promise, release: given.resolve }
}

/** Waits until the page has received the response to a request, or given it up. */
export const untilEnded = (page: Page, isIt: (one: Request) => boolean): Promise<unknown> =>
  Promise.any([page.waitForEvent('requestfinished', isIt), page.waitForEvent('requestfailed', isIt)])

/** Waits until everything received so far has been drawn. */
export const untilDrawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

/** Lets timers of this length run for ten minutes on a page that is opened afterwards. */
const lengthen = (page: Page, span: number): Promise<unknown> =>
  page.addInitScript(`{
    const { setTimeout } = window
    window.setTimeout = (act, ms, ...given) => setTimeout(act, ms === ${span} ? 600_000 : ms, ...given)
  }`)

/**
 * Lets messages about actions stay on a page that is opened afterwards. Otherwise, they disappear after five to
 * twenty seconds, and with them the offer to undo, which is too early on a busy machine.
 */
export const keepToasts = (page: Page): Promise<unknown> =>
  Promise.all([5_000, 10_000, 20_000].map(span => lengthen(page, span)))

/**
 * Lets the second key of a pair such as `g i` come late on a page that is opened afterwards. Otherwise, the
 * first one is forgotten after 1.2 seconds, which is too early on a busy machine.
 */
export const keepFirstKey = (page: Page): Promise<unknown> => lengthen(page, 1_200)

/** Types words into the field of the open list of options, and chooses the option that they select. */
export async function chooseTyped(page: Page, words: string, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type(words)
  await dialog.locator('[data-combobox-selected]', { hasText: name }).waitFor()
  await page.keyboard.press('Enter')
}

/** For a checkbox, switch or radio button that the page ticks a moment after the click. `check` does not wait for that. */
export async function tick(box: Locator): Promise<void> {
  await box.click()
  await box.and(box.page().locator(':checked')).waitFor()
}

/** Chooses an item of a menu that was just opened. A moment later, the menu moves the focus to its first item. */
export async function pressItem(item: Locator): Promise<void> {
  await item.page().locator('[role=menu]:focus-within').waitFor()
  await item.press('Enter')
}
