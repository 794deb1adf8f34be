import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openArchive } from '../../src/backup/archive.ts'
import type { Manifest } from '../../src/backup/manifest.ts'
import { root } from '../../src/core/config/config.ts'
import { endWithUs } from '../children.ts'
import { median, printTable, round } from '../figures.ts'
import { makeInstallation } from './data.ts'

/** A chain of backups: each is restored, and the restored installation is backed up next. Every backup must equal the first. */

const options = {
  times: { type: 'string', default: '100' },
  messages: { type: 'string', default: '100000' },
  large: { type: 'string', default: '100' },
  files: { type: 'string', default: '300' },
} as const

/** Seconds after which a command counts as hanging. */
const patience = 600

async function deskbell(dataDir: string, ...args: string[]): Promise<number> {
  const begun = performance.now()
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...args], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: patience * 1_000,
    killSignal: 'SIGKILL',
  })
  endWithUs(child)
  let words = ''
  child.stderr.on('data', chunk => (words += chunk))
  const [status, signal] = await once(child, 'close')
  if (signal) throw new Error(`deskbell ${args[0]} had not ended after ${patience} s:\n${words}`)
  if (status !== 0) throw new Error(`deskbell ${args[0]} ended with ${status}:\n${words}`)
  return (performance.now() - begun) / 1_000
}

async function readManifest(file: string): Promise<Manifest> {
  const archive = await openArchive(file)
  archive.close()
  return archive.manifest
}

/** The rows, files and key of a manifest, without its time. */
const contentOf = ({ tables, files, secret_key }: Manifest): string =>
  JSON.stringify([tables, files.toSorted((a, b) => (a.name < b.name ? -1 : 1)), secret_key])

interface Seen {
  backups: number[]
  restores: number[]
  different: number
  first: Manifest
}

async function runChain(folder: string, times: number): Promise<Seen> {
  const [backups, restores]: [number[], number[]] = [[], []]
  let first: Manifest | null = null
  let different = 0
  for (let n = 0; n <= times; n++) {
    const [source, target, file] = [`${n}`, `${n + 1}`, `${n}.backup`].map(name => join(folder, name))
    backups.push(await deskbell(source!, 'backup', file!))
    const manifest = await readManifest(file!)
    first ??= manifest
    if (contentOf(manifest) !== contentOf(first)) different++
    if (n < times) restores.push(await deskbell(target!, 'restore', file!))
    for (const path of [source!, file!]) rmSync(path, { recursive: true, force: true })
    if (process.stderr.isTTY) process.stderr.write(`\r${n} of ${times}`)
  }
  return { backups, restores, different, first: first! }
}

function report({ backups, restores, different, first }: Seen): boolean {
  const rows = first.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`${rows} rows of ${first.tables.length} tables, ${first.files.length} files`)
  const line = (name: string, times: number[]) => [
    name,
    times.length,
    round(median(times), 1),
    round(Math.max(...times), 1),
  ]
  const all = [line('backups', backups), line('restores', restores)]
  console.log(printTable(['', 'ended', 'median, s', 'slowest, s'], all))
  console.log(`${different} of ${backups.length} backups differ from the first (wanted: 0)`)
  return different === 0
}

export async function backup(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  try {
    const [messages, large, files] = [Number(values.messages), Number(values.large), Number(values.files)]
    await makeInstallation(join(folder, '0'), { messages, large, files })
    return report(await runChain(folder, Number(values.times))) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
