import type { Page } from 'playwright-core'
import { maxScriptBytes, maxStyleBytes, measureFirstView } from '../../test/first-view.ts'
import type { Showroom } from '../../test/showroom.ts'
import { round } from '../figures.ts'
import { record } from '../results.ts'
import { atFrame, longest, type Row, windowSize } from './frames.ts'

/** A long list: what it keeps in the page, a jump to a date, and what its first view loads. */

const maxRows = 150

async function openList({ projectId, open }: Showroom): Promise<Page> {
  const context = await open(windowSize)
  const page = await context.newPage()
  await page.goto(`/p/${projectId}/inbox/all?sort=-created_at`)
  await page.locator('[data-row="19"]').waitFor()
  return page
}

interface Scrolled {
  rows: number
  elements: number
  seconds: number
}

/** Scrolls until this many rows were loaded. */
const scroll = (page: Page, rows: number): Promise<Scrolled> =>
  page.evaluate<Scrolled>(`(async () => {
    const box = document.querySelector('[data-row]').closest('[aria-busy]')
    const most = { rows: 0, elements: 0 }
    for (const begun = performance.now(); ; ) {
      box.scrollTop = box.scrollHeight
      await new Promise(done => requestAnimationFrame(done))
      const shown = document.querySelectorAll('[data-row]')
      most.rows = Math.max(most.rows, shown.length)
      most.elements = Math.max(most.elements, document.querySelectorAll('*').length)
      const seconds = (performance.now() - begun) / 1000
      if (Number(shown[shown.length - 1].dataset.row) >= ${rows} - 1) return { ...most, seconds }
      if (seconds > 150) throw new Error('The list was not scrolled within 150 s')
    }
  })()`)

/** From the key to the frame in which the list has another first row. */
async function jump(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Display' }).click()
  const field = page.getByLabel('Jump to date')
  await field.fill(`${new Date().getFullYear() - 1}-03-05`)
  await page.evaluate(
    `void (window.taken = new Promise(done => {
      const first = () => document.querySelector('[data-row="0"] a[data-ticket]')?.dataset.ticket
      const before = first()
      addEventListener('keydown', ({ timeStamp: begun }) => {
        setTimeout(done, ${longest}, ${longest})
        ${atFrame('first() !== undefined && first() !== before', '() => done(performance.now() - begun)')}
      }, { capture: true, once: true })
    }))`,
  )
  await field.press('Enter')
  return page.evaluate<number>('window.taken')
}

export async function measureList(showroom: Showroom, rows: number): Promise<Row[]> {
  const page = await openList(showroom)
  const jumped = await jump(page)
  await page.context().close()
  const long = await openList(showroom)
  const scrolled = await scroll(long, rows)
  await long.context().close()
  const measured = `${scrolled.rows} rows, ${scrolled.elements} elements`
  const isBounded = scrolled.rows <= maxRows
  record('D5', {
    measured: `${rows} tickets in ${round(scrolled.seconds, 0)} s: at most ${measured}`,
    isKept: isBounded,
  })
  record('D6', { measured: `${round(jumped, 0)} ms`, isKept: jumped <= 1_000 })
  return [
    [`in the page while scrolling ${rows} tickets`, `${maxRows} rows`, measured, isBounded],
    ['jump to a date', '1000 ms', `${round(jumped, 0)} ms`, jumped <= 1_000],
  ]
}

export async function measureFirstLoad({ projectId, open }: Showroom): Promise<Row[]> {
  const context = await open(windowSize)
  const { scriptBytes, styleBytes } = await measureFirstView(await context.newPage(), `/p/${projectId}/inbox`)
  await context.close()
  const measured = `${round(scriptBytes / 1_000, 1)} KB of scripts, ${round(styleBytes / 1_000, 1)} KB of styles`
  const isKept = scriptBytes <= maxScriptBytes && styleBytes <= maxStyleBytes
  record('D7', { measured, isKept })
  return [['the inbox loads, compressed with gzip', '200 KB of scripts, 25 KB of styles', measured, isKept]]
}
