import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { forms, keepers } from './forms.ts'

/** Several benches run concurrently, because most of them mostly wait. */
const atOnce = 5

const program = join(import.meta.dirname, '../main.ts')

async function runForm(name: string, options: string, folder: string): Promise<boolean> {
  const own = keepers.includes(name) ? ['--dir', join(folder, name)] : []
  const settings: SpawnOptions = {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  }
  const child = spawn(process.execPath, [program, name, ...options.split(' '), ...own], settings)
  let [said, wrong] = ['', '']
  child.stdout!.on('data', chunk => (said += chunk))
  child.stderr!.on('data', chunk => (wrong += chunk))
  const begun = performance.now()
  const [status] = await once(child, 'close')
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  // Status 1 means that a promise was missed, which is irrelevant on a busy machine.
  const isFine = (status === 0 || status === 1) && said !== ''
  console.log(`${isFine ? 'works' : `ended with ${status}`}  ${name} (${seconds} s)`)
  if (!isFine) console.log(`${said}\n${wrong}`)
  return isFine
}

/** Runs the short form of every bench. Status 2 if one of them could not measure. */
export async function short(args: string[]): Promise<number> {
  const chosen = Object.entries(forms).filter(([name]) => args.length === 0 || args.includes(name))
  const folder = mkdtempSync(join(tmpdir(), 'deskbell bench '))
  const limit = pLimit(atOnce)
  try {
    const fine = await Promise.all(
      chosen.map(([name, options]) => limit(() => runForm(name, options, folder))),
    )
    return fine.every(Boolean) ? 0 : 2
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
