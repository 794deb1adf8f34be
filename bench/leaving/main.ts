import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDataDir } from '../data.ts'
import { clock } from '../delivery/measure.ts'
import { percentile, round } from '../figures.ts'
import { countOpen, memoryOf } from '../process.ts'
import { record } from '../results.ts'
import { type Server, startServer } from '../server.ts'
import { addKeys } from '../updates/stage.ts'

/** Waiting calls that get no events, and callers that disconnect before the response. */

const options = {
  polls: { type: 'string', default: '1000' },
  leavers: { type: 'string', default: '100000' },
  only: { type: 'string', default: 'waits,leaves' },
} as const

const together = 500
const alone = 200

function poll(port: number, key: string, timeout: number): Promise<{ status: number; seconds: number }> {
  const begun = clock()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    http
      .get({ port, host: '127.0.0.1', path: `/api/v1/updates?timeout=${timeout}`, headers, agent: false })
      .on('error', reject)
      .on('response', response => {
        response.resume()
        response.on('end', () =>
          resolve({ status: response.statusCode!, seconds: (clock() - begun) / 1_000 }),
        )
      })
  })
}

async function waitOut({ port }: Server, key: string, count: number): Promise<boolean> {
  const longest = Promise.all(Array.from({ length: 20 }, () => poll(port, key, 55)))
  const short = await Promise.all(Array.from({ length: count }, () => poll(port, key, 2)))
  const late = [
    ...short.map(({ seconds }) => seconds - 2),
    ...(await longest).map(({ seconds }) => seconds - 55),
  ].sort((a, b) => a - b)
  const isKept =
    [...short, ...(await longest)].every(({ status }) => status === 200) && late[0]! >= 0 && late.at(-1)! <= 2
  const measured = `${count} concurrent calls of 2 s and 20 of 55 s: ${round(late[0]!)} to ${round(late.at(-1)!)} s late, p99 ${round(percentile(late, 0.99))} s`
  record('U7', { measured, isKept })
  console.log(measured)
  return isKept
}

/** The sum of all metrics whose lines start with `begin`. */
async function measure({ url }: Server, begin: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter(line => line.startsWith(begin))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const countWaiting = (server: Server): Promise<number> => measure(server, 'deskbell_waiters{kind="updates"}')

async function untilWaiting(server: Server, wanted: number): Promise<number> {
  const begun = clock()
  while ((await countWaiting(server)) !== wanted) {
    if (clock() - begun > 20_000) throw new Error(`There were not ${wanted} calls waiting within 20 s`)
    await sleep(5)
  }
  return clock() - begun
}

/** Opens waiting calls and closes them all at once. Returns how long the server still counts them. */
async function comeAndGo(server: Server, key: string, count: number): Promise<number> {
  const ask = `GET /api/v1/updates?timeout=55 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(ask))
    return socket.on('error', () => {})
  })
  await untilWaiting(server, count)
  for (const socket of sockets) socket.resetAndDestroy()
  return untilWaiting(server, 0)
}

/** Excludes database connections, whose number depends on the load. */
const hold = async (server: Server) => ({
  megabytes: memoryOf(server),
  files: countOpen(server) - (await measure(server, 'deskbell_db_connections_open{')),
})

async function leave(server: Server, key: string, count: number): Promise<boolean> {
  // Memory is released after ten seconds without work (src/idle-gc.ts), so both measurements are taken after that.
  for (let turn = 0; turn < 20; turn++) await comeAndGo(server, key, together)
  await sleep(21_000)
  const before = await hold(server)
  for (let turn = 0; turn < count / together; turn++) await comeAndGo(server, key, together)
  await sleep(21_000)
  const after = await hold(server)
  const took: number[] = []
  for (let turn = 0; turn < alone; turn++) took.push(await comeAndGo(server, key, 1))
  const sorted = took.sort((a, b) => a - b)
  const [grown, files] = [after.megabytes - before.megabytes, after.files - before.files]
  const isKept = percentile(sorted, 0.99) <= 100 && grown <= 5 && files <= 0
  const measured = `freed ${round(percentile(sorted, 0.5), 0)} ms (p50), ${round(percentile(sorted, 0.99), 0)} ms (p99) after a caller disconnected; ${round(grown, 1)} MB and ${files} files more after ${count} callers in groups of ${together}`
  record('U8', { measured, isKept })
  console.log(measured)
  return isKept
}

export async function leaving(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server = await startServer({ DATA_DIR: dataDir })
  const { db, close } = await openDataDir(dataDir)
  try {
    const [key] = (await addKeys({ server, db } as never, 1)) as [string]
    const parts: Record<string, () => Promise<boolean>> = {
      waits: () => waitOut(server, key, Number(values.polls)),
      leaves: () => leave(server, key, Number(values.leavers)),
    }
    let isKept = true
    for (const name of values.only.split(',')) if (!(await parts[name]!())) isKept = false
    return isKept ? 0 : 1
  } finally {
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
