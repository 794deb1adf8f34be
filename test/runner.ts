import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../src/core/config/config.ts'
import { buildWeb } from '../web/build.ts'
import { writeGroups } from './groups.ts'
import { isInstalled } from './needs.ts'
import { startTestPostgres } from './postgres.ts'
import { listSlowest, listTooSlow, readTimes } from './slowest.ts'

/**
 * `npm test [-- file …]`: starts one Postgres and one Chromium for the whole run, one process for the files
 * of each domain, and creates one database for each file.
 */

let tests: ChildProcess | null = null
let isStopped = false

/** Tests wait for programs and pages. One process more than cores uses this time; more would delay each other. */
const atOnce = availableParallelism() + 1

/**
 * Megabytes for short-lived objects. With less, test processes spend a seventh of their time on garbage
 * collection.
 */
const youngSpace = ['--min-semi-space-size=32', '--max-semi-space-size=64']

/** Milliseconds after which a hanging run is stopped. Its last output names the running files. */
const timeoutMs = 60 * 60_000

const isOption = (word: string): boolean => word.startsWith('-')

/** Runs after the others, whose statements it judges. */
const lastFile = 'test/conventions/distribution.test.ts'

function listFiles(given: string[]): string[] {
  const files = given.filter(word => !isOption(word))
  const chosen = files.length ? files.flatMap(file => globSync(file, { cwd: root })) : allFiles()
  if (files.length && chosen.length === 0) throw new Error(`There is no file ${files.join(' ')}`)
  return chosen
}

/** With options, which may select tests by name, each file runs in its own process under Node's runner. */
const listArguments = (options: string[], files: string[]): string[] =>
  options.length ? [...options, ...files] : writeGroups(mkdtempSync(join(folder, 'groups')), files)

const allFiles = (): string[] => globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort()

async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const given = process.argv.slice(2)
  const files = listFiles(given)
  const others = files.filter(file => file !== lastFile)
  const status = others.length ? await runFiles(env, given, others) : 0
  if (others.length === files.length || isStopped) return status
  const isWhole = given.length === 0 && !readSkipped()
  return (await runFiles({ ...env, DESKBELL_TEST_WHOLE: String(isWhole) }, given, [lastFile])) || status
}

/** The list of skipped tests and the reasons, or nothing. */
const readSkipped = (): string =>
  skippedFiles.map(path => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('')

async function runFiles(env: NodeJS.ProcessEnv, given: string[], files: string[]): Promise<number> {
  const reporters = given.some(word => word.startsWith('--test-reporter')) ? [] : listReporters()
  const args = [
    '--test',
    ...youngSpace,
    `--test-concurrency=${atOnce}`,
    '--test-timeout=300000',
    '--import=./test/record-statements.ts',
    '--import=./test/ending.ts',
    ...reporters,
    ...listArguments(given.filter(isOption), files),
  ]
  tests = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  const deadline = setTimeout(() => tests!.kill('SIGINT'), timeoutMs)
  const [status] = await once(tests, 'exit')
  clearTimeout(deadline)
  return status ?? 1
}

/** Starts the Chromium that all tests share, if it is installed. */
async function startBrowser() {
  if (!isInstalled('chromium')) return { environment: {}, stop: async () => {} }
  const { launchBrowserServer } = await import('./browser.ts')
  const browser = await launchBrowserServer()
  return { environment: { DESKBELL_TEST_BROWSER: browser.wsEndpoint() }, stop: () => browser.close() }
}

/** Fails the run if a file takes too long, so that the tests stay fast. */
function judgeTimes(report: string): void {
  const times = readTimes(report)
  const tooSlow = listTooSlow(times)
  process.stdout.write([listSlowest(times), ...tooSlow.map(line => `${line}\n`)].join(''))
  if (tooSlow.length) process.exitCode ||= 1
}

/**
 * A folder in memory, if it has 4 GB to spare. Copying the template there takes a tenth of the time on a
 * disk.
 */
function placeOf(memory = '/dev/shm'): string {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= 4 * 2 ** 30 ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

const folder = mkdtempSync(join(placeOf(), 'deskbell test '))
// Tests create folders in it for programs of other accounts, as in the system's temporary folder.
chmodSync(folder, 0o711)
const skippedFiles: string[] = []
const times = join(folder, 'times')

function makeStatementsFolder(): string {
  const path = join(folder, 'statements')
  mkdirSync(path)
  return path
}

function listReporters(): string[] {
  const skipped = join(folder, `skipped-${skippedFiles.length}`)
  skippedFiles.push(skipped)
  return [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./test/skipped.ts', `--test-reporter-destination=${skipped}`],
  ]
}

process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopped = true
    if (!tests?.kill(signal)) process.exit(1)
  })
}
await buildWeb(words => process.stderr.write(`${words}\n`))
const postgres = await startTestPostgres(folder)
const browser = await startBrowser()
try {
  const environment = {
    ...postgres.environment,
    ...browser.environment,
    DESKBELL_TEST_TIMES: times,
    DESKBELL_TEST_STATEMENTS: process.env.DESKBELL_TEST_STATEMENTS ?? makeStatementsFolder(),
    TMPDIR: folder,
  }
  process.exitCode = await runTests(environment)
  process.stdout.write(readSkipped())
  if (existsSync(times)) judgeTimes(readFileSync(times, 'utf8'))
} finally {
  await browser.stop()
  await postgres.stop()
}
