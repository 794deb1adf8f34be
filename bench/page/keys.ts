import type { BrowserContext, Page } from 'playwright-core'
import { untilFormatted } from '../../test/editor.ts'
import type { Showroom } from '../../test/showroom.ts'
import { median, percentile, round } from '../figures.ts'
import { record } from '../results.ts'
import { atFrame, longest, type Row, seen, untilShown, windowSize } from './frames.ts'

/** Keys: to the next ticket, and letters in the editor. The page listens before a key is sent. */

/** Measures from the key to the frame with the next ticket's messages. */
async function pressNext(page: Page): Promise<number> {
  await page.evaluate(
    `void (window.taken = new Promise(done => {
      const log = () => document.querySelector('[role=log]')?.textContent ?? ''
      const [path, words] = [location.pathname, log()]
      const isOther = () => location.pathname !== path && log() !== words && document.querySelector('${seen}')
      addEventListener('keydown', ({ timeStamp: begun }) => {
        setTimeout(done, ${longest}, ${longest})
        ${atFrame('isOther()', '() => done(performance.now() - begun)')}
      }, { capture: true, once: true })
    }))`,
  )
  await page.keyboard.press('j')
  return page.evaluate<number>('window.taken')
}

export async function measureSwitching(showroom: Showroom, path: string, times: number): Promise<Row[]> {
  const context = await showroom.open(windowSize)
  const page = await context.newPage()
  await page.goto(path)
  await untilShown(page)
  const taken: number[] = []
  for (let turn = 0; turn < times; turn++) {
    await page.waitForTimeout(400)
    taken.push(await pressNext(page))
  }
  await context.close()
  const [middle, slow] = [median(taken), percentile(taken, 0.95)]
  const measured = `median ${round(middle, 0)} ms, p95 ${round(slow, 0)} ms`
  record('D3', { measured: `${times} tickets: ${measured}`, isKept: middle <= 100 })
  return [[`${times} switches by j`, 'median 100 ms', measured, middle <= 100]]
}

const slowness = 4
const messages = 300

/** Measures from the key to the frame after it. */
async function typeLetter(page: Page, letter: string): Promise<number> {
  await page.evaluate(
    `void (window.taken = new Promise(done => addEventListener('keydown', ({ timeStamp: begun }) =>
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun))), { capture: true, once: true })))`,
  )
  await page.keyboard.press(letter)
  return page.evaluate<number>('window.taken')
}

/** Loads earlier messages until there are enough. */
async function loadMessages(page: Page): Promise<number> {
  const older = page.getByRole('button', { name: 'Load earlier messages' })
  for (;;) {
    const count = await page.locator(seen).count()
    if (count >= messages || !(await older.isVisible())) return count
    await older.click()
    await page.locator(seen).nth(count).waitFor()
  }
}

async function openLongTicket(context: BrowserContext, { db, projectId }: Showroom): Promise<Page> {
  const [row] = await db<{ number: number }[]>`
    select t.number from ticket_activity a join tickets t on t.project_id = a.project_id and t.id = a.ticket_id
    where a.project_id = ${projectId} order by a.messages_count desc limit 1`
  const page = await context.newPage()
  await page.goto(`/p/${projectId}/inbox/all/${row!.number}`)
  await untilShown(page)
  return page
}

export async function measureTyping(showroom: Showroom, letters: number): Promise<Row[]> {
  const context = await showroom.open(windowSize)
  const page = await openLongTicket(context, showroom)
  const count = await loadMessages(page)
  const field = await untilFormatted(page.getByRole('textbox', { name: 'Reply', exact: true }))
  await field.focus()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  const taken: number[] = []
  for (let turn = 0; turn < letters; turn++) {
    taken.push(await typeLetter(page, turn % 6 === 5 ? ' ' : 'a'))
    await page.waitForTimeout(60)
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await field.fill('')
  await context.close()
  const slow = percentile(taken, 0.95)
  const measured = `median ${round(median(taken), 0)} ms, p95 ${round(slow, 0)} ms`
  record('D4', { measured: `${letters} letters, ${count} messages: ${measured}`, isKept: slow <= 30 })
  return [
    [`${letters} letters, ${count} messages, ${slowness} times slower`, 'p95 30 ms', measured, slow <= 30],
  ]
}
