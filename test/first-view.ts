import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Response } from 'playwright-core'
import { root } from '../src/core/config/config.ts'

/** What the first view of the inbox loads. */

const dashboardFiles = join(root, 'web/dist/dashboard')
export const maxScriptBytes = 200 * 1000
export const maxStyleBytes = 25 * 1000

/** Sums the sizes of the built files as gzip compresses them. */
const sumGzip = (responses: Response[]): number =>
  responses.reduce(
    (sum, response) => sum + statSync(join(dashboardFiles, `${new URL(response.url()).pathname}.gz`)).size,
    0,
  )

/** Opens the inbox at this path, and waits until it is shown. */
export async function measureFirstView(page: Page, path: string) {
  // Files that are loaded once the page is idle are not needed for the first view.
  await page.addInitScript('window.requestIdleCallback = () => 0')
  const responses: Response[] = []
  page.on('response', response => responses.push(response))
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-busy=false]').waitFor()
  await page.waitForLoadState('networkidle')
  const ofType = (type: string) => responses.filter(one => one.request().resourceType() === type)
  const [scripts, styles, fonts] = [ofType('script'), ofType('stylesheet'), ofType('font')]
  return { scripts, styles, fonts, scriptBytes: sumGzip(scripts), styleBytes: sumGzip(styles) }
}
