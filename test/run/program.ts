import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import pLimit from 'p-limit'
import { output } from '../../src/cli/output.ts'
import { run as runCommand } from '../../src/cli/run.ts'
import { root } from '../../src/core/config/config.ts'
import { until } from '../until.ts'

type Settings = Record<string, string>

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

export interface Program {
  child: ChildProcess
  stdout: string
  stderr: string
  /** The address that it printed. */
  url: string
  ended: Promise<Outcome>
}

const statementsFolder = process.env.DESKBELL_TEST_STATEMENTS ?? ''

const environment = (settings: Settings): Settings => ({
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  DESKBELL_TEST_STATEMENTS: statementsFolder,
  ...settings,
})

/** A folder with a space in its name, private to this user, and deleted when the test ends. */
export function makeFolder(context: { after(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk bell '))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A folder with the database of an installation that has not been started yet, which saves the test the slow
 * part of a first start.
 */
export function makeDataDir(context: { after(run: () => void): void }): string {
  const folder = makeFolder(context)
  spawnSync('cp', ['-a', join(process.env.DESKBELL_TEST_INSTALLATION!, 'postgres'), folder])
  return folder
}

const recorder = `--import=${pathToFileURL(join(root, 'test/record-statements.ts')).href}`

const isServerOrCommand = (command: string, [file]: string[]): boolean =>
  command === process.execPath && /\bsrc\/(?:cli\/)?main\.ts$/.test(file ?? '')

export function run(command: string, args: string[], settings: Settings = {}, cwd = root): Program {
  const recorded = isServerOrCommand(command, args) ? [recorder, ...args] : args
  const child = spawn(command, recorded, {
    cwd,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const program = { child, stdout: '', stderr: '', url: '' } as Program
  child.stdout.on('data', chunk => (program.stdout += chunk))
  child.stderr.on('data', chunk => (program.stderr += chunk))
  program.ended = once(child, 'close').then(([status]) => ({ ...program, status }))
  return program
}

/** Starts the server in a child process, which is killed when the test ends. */
export function spawnServer(context: { after(run: () => void): void }, settings: Settings): Program {
  const program = run(process.execPath, [join(root, 'src/main.ts')], settings)
  context.after(() => void program.child.kill('SIGKILL'))
  return program
}

export async function startServer(
  context: { after(run: () => void): void },
  settings: Settings,
): Promise<Program> {
  const program = spawnServer(context, settings)
  await untilReady(program)
  return program
}

export async function untilReady(program: Program): Promise<void> {
  program.url = await until(() => {
    if (program.child.exitCode !== null) throw new Error(`The server ended:\n${program.stderr}`)
    return /ready at (\S+)\r?\n/.exec(program.stdout)?.[1]
  }, 120)
}

/** The file that a first start writes without a terminal. */
export const firstAccessOf = ({ stdout }: Program): string =>
  /^ {2}(.+\/first-access\.txt)$/m.exec(stdout)![1]!

export const readFirstAccess = (program: Program): string => readFileSync(firstAccessOf(program), 'utf8')

/** The key of a first start. It is on its own line, because the random link above it may contain "sk_". */
export const keyOf = (program: Program): string => /^\s+(sk_[\w-]+)$/m.exec(readFirstAccess(program))![1]!

export async function stopServer(program: Program, signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
  program.child.kill(signal)
  return program.ended
}

/** Runs the command line in a child process, for tests about processes. */
export const spawnDeskbell = (settings: Settings, ...args: string[]): Promise<Outcome> =>
  run(process.execPath, [join(root, 'src/cli/main.ts'), ...args], settings).ended

const oneByOne = pLimit(1)

/**
 * Runs the command line as a function, which takes a tenth of the time. Calls run one at a time, because they
 * share the environment.
 */
export const deskbell = (settings: Settings, ...args: string[]): Promise<Outcome> =>
  oneByOne(async () => {
    const outcome: Outcome = { status: null, stdout: '', stderr: '' }
    const write = mock.method(output, 'write', (text: string) => {
      outcome.stdout += text
    })
    const tell = mock.method(output, 'tell', (line: string) => {
      outcome.stderr += `${line}\n`
    })
    const own = process.env
    process.env = environment(settings)
    try {
      outcome.status = await runCommand(args)
      return outcome
    } finally {
      process.env = own
      write.mock.restore()
      tell.mock.restore()
    }
  })

export const statusOf = (url: string): Promise<number | null> =>
  fetch(url).then(
    async response => {
      await response.arrayBuffer()
      return response.status
    },
    () => null,
  )

const lockOf = (dataDir: string): string[] =>
  readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')

export const postmasterOf = (dataDir: string): number => Number(lockOf(dataDir)[0])

export const socketDirOf = (dataDir: string): string => lockOf(dataDir)[4]!

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
