import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../src/core/config.ts'
import { buildWeb } from '../web/build.ts'
import { startTestPostgres } from './postgres.ts'

/** `npm test [-- file …]`: one Postgres for the whole run, a database of its own for every test that wants one. */

let tests: ChildProcess | null = null

/** Many tests wait for something: with as many files as cores at once half of the time would pass unused. */
const atOnce = availableParallelism() + 2

/** Milliseconds after which a run that hangs is ended; its last words name the files that were under way. */
const longest = 40 * 60_000

async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const given = process.argv.slice(2)
  const hasFiles = given.some(word => !word.startsWith('-'))
  // Backwards: the long ones are in test/, and one of them begun last would be left running alone.
  const files = hasFiles
    ? []
    : globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort().reverse()
  const reporters = given.some(word => word.startsWith('--test-reporter')) ? [] : ownReporters
  const args = [
    '--test',
    `--test-concurrency=${atOnce}`,
    '--test-timeout=300000',
    '--import=./test/ending.ts',
    ...reporters,
    ...given,
    ...files,
  ]
  tests = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  const deadline = setTimeout(() => tests!.kill('SIGINT'), longest)
  const [status] = await once(tests, 'exit')
  clearTimeout(deadline)
  return status ?? 1
}

/** In memory, where that is a folder with 4 GB to spare: there a copy of the template costs a tenth of the time it costs on a disk. */
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
// Tests make folders in it for programs of other accounts, as they may in that for temporary files.
chmodSync(folder, 0o711)
const leftOut = join(folder, 'left-out')
const ownReporters = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...['--test-reporter=./test/left-out.ts', `--test-reporter-destination=${leftOut}`],
]
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => (tests ? tests.kill(signal) : process.exit(1)))
}
await buildWeb(words => process.stderr.write(`${words}\n`))
const postgres = await startTestPostgres(folder)
try {
  process.exitCode = await runTests({ ...postgres.environment, TMPDIR: folder })
  if (existsSync(leftOut)) process.stdout.write(readFileSync(leftOut))
} finally {
  await postgres.stop()
}
