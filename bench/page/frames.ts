import type { Page } from 'playwright-core'

/** Times in the page itself, until a frame has been rendered. */

export const seen = '[role=log] article'

/** The timeout in milliseconds. */
export const longest = 5_000

/** Runs `act` in the page and resolves at the frame in which `isThere` becomes true. Checking every frame would distort the measurement. */
export const atFrame = (isThere: string, act: string): string => `{
  const look = () => {
    if (!(${isThere})) return false
    watch.disconnect()
    requestAnimationFrame(() => setTimeout(${act}))
    return true
  }
  const watch = new MutationObserver(look)
  if (!look()) watch.observe(document, { subtree: true, childList: true, characterData: true })
}`

/** Measured in the page itself, after the frame that shows the tickets was rendered. */
export const untilShown = (page: Page): Promise<number> =>
  page.evaluate(
    `new Promise((done, fail) => {
      setTimeout(fail, 30_000, new Error('Not shown within 30 s: ' + location.href))
      ${atFrame(`document.querySelector('${seen}')`, '() => done(performance.now())')}
    })`,
  )

export type Row = [what: string, wanted: string, measured: string, isKept: boolean]

export const windowSize = { viewport: { width: 1440, height: 900 } }
