import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { watchBrowser } from './open-pages.ts'

/** The Chromium of this run for the tests of a file: what they open in it is theirs alone. */
export async function openChromium(): Promise<Browser> {
  const browser = await openBrowser()
  watchBrowser(browser)
  return browser
}
