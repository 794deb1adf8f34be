import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'
import { sha256 } from '../../src/core/crypto.ts'
import { startTestPostgres } from '../postgres.ts'
import { modules } from './modules.ts'
import { mutateStatements } from './statements.ts'

/**
 * `bin/mutate MODULE [FILE:LINES …]`: makes many small changes to the module, one at a time, and runs its
 * tests on each. It prints changes that no test detects, and exits with status 1 if fewer than 80 % are
 * detected.
 */

const own = join(root, 'test/mutation')

/**
 * Installs exactly the versions of package-lock.json in this folder, once, and returns the path of Stryker.
 */
function installStryker(): string {
  const lock = readFileSync(join(own, 'package-lock.json'))
  const folder = join(root, 'node_modules/.cache', `mutation-${sha256(lock).toString('hex').slice(0, 12)}`)
  const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(own, name), join(folder, name))
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('npm could not install the packages of bin/mutate; see the reason above')
  return program
}

/** The copied sources are in data/, because Node.js does not run TypeScript in node_modules/. */
const settingsOf = (mutate: string[], tests: string[]) => ({
  mutate,
  testRunner: 'command',
  commandRunner: {
    command: `"${process.execPath}" --test --test-isolation=none --test-reporter=./test/mutation/first-failure.ts ${tests.join(' ')}`,
  },
  checkers: [],
  plugins: [],
  concurrency: 1,
  tempDirName: 'data/mutation',
  // Stryker would read tsconfig.json with an API that TypeScript 7 does not have.
  ignorePatterns: ['data', '.git', 'docs/screenshots', 'bench', 'tsconfig.json'],
  disableTypeChecks: false,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 90, low: 80, break: 80 },
  timeoutMS: 20_000,
  allowEmpty: false,
})

async function mutate(name: string, files: string[]): Promise<number> {
  const { mutate, tests } = modules[name]!
  const program = installStryker()
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-mutation-'))
  const settings = join(folder, 'stryker.json')
  writeFileSync(settings, JSON.stringify(settingsOf(files.length ? files : mutate, tests)))
  const { environment, stop } = await startTestPostgres(join(folder, 'postgres'))
  const child = spawn(process.execPath, [program, 'run', settings], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  try {
    const [status] = await once(child, 'exit')
    return status ?? 1
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [name = '', ...files] = process.argv.slice(2)
if (name === 'statements') process.exitCode = await mutateStatements()
else if (name in modules) process.exitCode = await mutate(name, files)
else {
  process.stderr.write(
    `bin/mutate statements | ${Object.keys(modules).join(' | ')} [file:from-to …]; CONTRIBUTING.md says what it shows\n`,
  )
  process.exitCode = 2
}
