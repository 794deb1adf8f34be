import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { breakOff } from './broken.ts'
import { limit } from './limit.ts'
import { memory } from './memory.ts'
import { slow } from './slow.ts'
import { openStage, type Stage } from './stage.ts'

const cases: Record<string, (stage: Stage) => Promise<boolean>> = { memory, limit, broken: breakOff, slow }

const options = { only: { type: 'string', default: Object.keys(cases).join() } } as const

/** Large files, slow callers and aborted uploads. */
export async function files(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const stage = await openStage(dataDir)
  try {
    let isKept = true
    for (const name of values.only.split(',')) {
      const show = cases[name]
      if (!show) throw new Error(`--only: ${name} is none of ${Object.keys(cases)}`)
      isKept = (await show(stage)) && isKept
    }
    return isKept ? 0 : 1
  } finally {
    await stage.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
