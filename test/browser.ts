import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, chromium, type Frame, type Locator, type Page, type Request } from 'playwright-core'
import { searchPath } from '../src/core/config.ts'
import { until } from './until.ts'

/**
 * The Chromium of this machine; tests with it stand under `needs('chromium')`. A frame of another site shares its page's
 * process: where it has its own, the words and clicks of a driver that is quicker than any hand are now and then lost.
 */
export function openBrowser(): Promise<Browser> {
  const executablePath = searchPath
    .split(delimiter)
    .map(folder => join(folder, 'chromium'))
    .find(path => existsSync(path))
  return chromium.launch({ executablePath, args: ['--disable-site-isolation-trials'] })
}

/** What people with a disability could stumble over on this page, by the rules that a program can check. */
export async function listBarriers(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))
}

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
