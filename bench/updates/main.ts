import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDataDir } from '../data.ts'
import { startServer } from '../server.ts'
import { expire, leave } from './leavers.ts'
import { readLogs } from './log.ts'
import { type Shown, show } from './show.ts'
import type { Stage } from './stage.ts'
import { herd, hold, tell } from './waiting.ts'

const options = {
  clients: { type: 'string', default: '10000' },
  seconds: { type: 'string', default: '20' },
  leaves: { type: 'string', default: '10000' },
  events: { type: 'string', default: '20000' },
  only: { type: 'string', default: 'hold,each,spread,tell,busy,herd,expire,leave,log' },
} as const

type Values = { [Name in keyof typeof options]: string }

const cases = ({
  clients,
  seconds: sent,
  leaves,
  events,
}: Values): Record<string, (stage: Stage) => Promise<Shown[]>> => {
  const seconds = Number(sent)
  return {
    hold: stage => hold(stage, Number(clients), seconds),
    each: async stage => [await tell(stage, { rate: 300, projects: 1_000, seconds, isPromised: true })],
    spread: async stage => [await tell(stage, { rate: 300, projects: 100, seconds, isPromised: true })],
    tell: async stage => [await tell(stage, { rate: 1, projects: 1, seconds })],
    busy: async stage => [await tell(stage, { rate: 5, projects: 1, seconds })],
    herd: stage => herd(stage, Number(clients)),
    expire: async stage => [await expire(stage)],
    leave: async stage => [await leave(stage, Number(leaves))],
    log: async stage => [await readLogs(stage, Number(events))],
  }
}

async function measure(stage: Stage, values: Values): Promise<boolean> {
  const all = cases(values)
  const lines: Shown[] = []
  for (const name of values.only.split(',')) {
    if (!all[name]) throw new Error(`--only: ${name} is none of ${Object.keys(all)}`)
    lines.push(...(await all[name](stage)))
  }
  return show(lines)
}

/** Measures the cost of long polling, and how soon events are sent. */
export async function updates(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const limits = { UPDATES_WAITING_PER_KEY: values.clients, UPDATES_WAITING_PER_PROCESS: values.clients }
  const server = await startServer({ DATA_DIR: dataDir, ...limits })
  const clients = fork(join(import.meta.dirname, 'clients.ts'))
  const { db, close } = await openDataDir(dataDir)
  try {
    const isKept = await measure({ server, db, clients }, values)
    return isKept ? 0 : 1
  } finally {
    clients.disconnect()
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
