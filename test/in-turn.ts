import { appendFileSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from '../src/core/config.ts'
import type { Time } from './slowest.ts'

/** Several files of tests in one process, one after another: loading the server once costs less than loading it for each. */

/** Milliseconds for all tests of a file; each of them has less. */
const timeoutMs = 10 * 60_000

/** Where the runner reads how much time each file took. */
const reportPath = process.env.DESKBELL_TEST_TIMES

/** Seconds of the programs that ended; 0 where there is no /proc. */
function readChildSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15)
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}

function readSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + readChildSeconds()
}

/** Milliseconds of processor time that a fixed piece of work takes at this moment. */
function measureSample(): number {
  const begun = process.cpuUsage()
  for (let times = 0; times < 8; times++) JSON.parse(sample)
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}

const sample = JSON.stringify(
  Array.from({ length: 5_000 }, (_, number) => ({ number, text: `text ${number}` })),
)

function report(file: string, processor: number, wall: number): void {
  if (!reportPath) return
  const time: Time = { file, processor, wall, sample: measureSample() }
  appendFileSync(reportPath, `${JSON.stringify(time)}\n`)
}

/** Each file becomes a test that holds those it declares. */
export function runInTurn(files: string[]): void {
  for (const file of files) {
    test(relative(root, file), { timeout: timeoutMs }, async () => {
      const [seconds, begun] = [readSeconds(), performance.now()]
      await import(pathToFileURL(join(root, file)).href)
      // Declared last, so that it runs after the file's own hooks have closed what it opened.
      after(() => {
        mock.reset()
        report(file, readSeconds() - seconds, (performance.now() - begun) / 1_000)
      })
    })
  }
}
