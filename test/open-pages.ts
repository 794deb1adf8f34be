import type { TestContext } from 'node:test'
import type { Browser, BrowserContext, Frame, Page, Request } from 'playwright-core'

/** The pages that tests open. They are closed after each test, and described if it fails. */

/** The output of a page, and its pending requests. */
interface Story {
  said: string[]
  waiting: Map<Request, 'no answer' | 'no end'>
}

const stories = new WeakMap<Page, Story>()

/** Each browser of a file, with the windows opened before its first test, which all tests share. */
const browsers = new Map<Browser, Set<BrowserContext> | null>()

const nameOf = (request: Request): string => `${request.method()} ${request.url()}`

function watch(page: Page): void {
  const story: Story = { said: [], waiting: new Map() }
  stories.set(page, story)
  const { said, waiting } = story
  page.on('console', message =>
    said.push(`console ${message.type()}: ${message.text()} ${message.location().url}`),
  )
  page.on('pageerror', error => said.push(`error: ${error.stack ?? error.message}`))
  page.on('crash', () => said.push('the page crashed'))
  page.on('request', request => waiting.set(request, 'no answer'))
  page.on('response', response => waiting.set(response.request(), 'no end'))
  page.on('requestfinished', request => waiting.delete(request))
  page.on('requestfailed', request => {
    waiting.delete(request)
    said.push(`failed: ${nameOf(request)} ${request.failure()?.errorText}`)
  })
}

/** The contents of the frame, with field values and disabled states. */
const draw = async (frame: Frame): Promise<string> => {
  const shown = await frame.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String)
  return [`shown at ${frame.url()}`, ...shown.split('\n').slice(0, 60)].join('\n    ')
}

async function describePage(page: Page): Promise<string> {
  const { said, waiting } = stories.get(page)!
  const open = [...waiting].map(([request, what]) => `${what}: ${nameOf(request)}`)
  const shown = await Promise.all(page.frames().map(draw))
  return [`open page ${page.url()}`, ...said.slice(-30), ...open, ...shown].join('\n  ')
}

/** Watches all pages that open in this browser from now on. */
export function watchBrowser(browser: Browser): void {
  browser.on('context', context => context.on('page', watch))
  browsers.set(browser, null)
  browser.on('disconnected', () => browsers.delete(browser))
}

/** Runs before each test. */
export function keepOpenWindows(): void {
  for (const [browser, kept] of browsers) if (!kept) browsers.set(browser, new Set(browser.contexts()))
}

/** Runs after each test, and closes the windows that it opened. */
export async function closeWindows(context: TestContext): Promise<void> {
  const windows = [...browsers].flatMap(([browser, kept]) =>
    browser.contexts().map(window => ({ window, isKept: Boolean(kept?.has(window)) })),
  )
  const pages = windows.flatMap(({ window }) => window.pages())
  if (!context.passed) for (const page of pages) context.diagnostic(await describePage(page))
  // This must happen before the context closes. Otherwise, a pending route would fail in the next test.
  await Promise.all(pages.map(page => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await Promise.all(windows.filter(({ isKept }) => !isKept).map(({ window }) => window.close()))
}
