import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { watchBrowser } from './open-pages.ts'

/** Opens the Chromium of this run for a test file. Pages opened in it are separate from other files'. */
export async function openChromium(): Promise<Browser> {
  const browser = await openBrowser()
  watchBrowser(browser)
  return browser
}
