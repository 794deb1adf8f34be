import { appendFileSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from '../src/core/config/config.ts'
import type { Time } from './slowest.ts'

/**
 * Runs several test files in one process, one after another, because loading the server once is cheaper than
 * loading it for each file.
 */

/** Milliseconds for all tests of a file. Each single test has a shorter timeout. */
const timeoutMs = 10 * 60_000

/** The file in which each process reports the time of its test files. */
const reportPath = process.env.DESKBELL_TEST_TIMES

/** CPU seconds of ended child processes, or 0 without /proc. */
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

/** Milliseconds of CPU time that a fixed piece of work takes right now. */
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

/** Each file becomes a test that contains the file's tests. */
export function runInTurn(files: string[]): void {
  for (const file of files) {
    test(relative(root, file), { timeout: timeoutMs }, async () => {
      const [seconds, begun] = [readSeconds(), performance.now()]
      await import(pathToFileURL(join(root, file)).href)
      // Declared last, so that it runs after the file's own hooks have closed their resources.
      after(() => {
        mock.reset()
        report(file, readSeconds() - seconds, (performance.now() - begun) / 1_000)
      })
    })
  }
}
