import { afterEach, beforeEach, type TestContext } from 'node:test'
import type { Browser, BrowserContext, Frame, Page, Request } from 'playwright-core'
import { openBrowser } from './browser.ts'

/** What a test opens in a browser is closed after it; what one that failed had open is told. */

/** What a page said, and what it asked for that is not there yet. */
interface Story {
  said: string[]
  waiting: Map<Request, 'no answer' | 'no end'>
}

const browsers: Browser[] = []
const stories = new WeakMap<Page, Story>()
/** Opened before the first test, for all of them. */
let kept: Set<BrowserContext> | null = null

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

/** What stands there, with the values of fields and what is disabled. */
const draw = async (frame: Frame): Promise<string> => {
  const shown = await frame.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String)
  return [`shown at ${frame.url()}`, ...shown.split('\n').slice(0, 60)].join('\n    ')
}

async function tell(page: Page): Promise<string> {
  const { said, waiting } = stories.get(page)!
  const open = [...waiting].map(([request, what]) => `${what}: ${nameOf(request)}`)
  const shown = await Promise.all(page.frames().map(draw))
  return [`open page ${page.url()}`, ...said.slice(-30), ...open, ...shown].join('\n  ')
}

const listContexts = (): BrowserContext[] => browsers.flatMap(browser => browser.contexts())

beforeEach(() => {
  kept ??= new Set(listContexts())
})

afterEach(async test => {
  const contexts = listContexts()
  const pages = contexts.flatMap(context => context.pages())
  if (!(test as TestContext).passed)
    for (const page of pages) (test as TestContext).diagnostic(await tell(page))
  // Before the context ends: a route that is still under way would fail in the test after.
  await Promise.all(pages.map(page => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await Promise.all(contexts.filter(context => !kept!.has(context)).map(context => context.close()))
})

/** A Chromium for the tests of a file. */
export async function openChromium(): Promise<Browser> {
  const browser = await openBrowser()
  browser.on('context', context => context.on('page', watch))
  browsers.push(browser)
  return browser
}
