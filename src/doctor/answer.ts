import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Config, readEnvironment } from '../core/config/config.ts'
import { checkDatabase } from '../core/db/check-database.ts'
import { connect, type DatabaseTarget } from '../core/db/db.ts'
import { portOf } from '../core/http/port-of.ts'
import type { ExaminedProcess } from './examine.ts'

/**
 * Lets `bin/deskbell doctor` query this process, which knows its own settings, user and network. It listens on the loopback
 * address only, and requires a token from a file in DATA_DIR.
 */

export const processFolderOf = (dataDir: string): string => join(dataDir, 'processes')

export interface ProcessEntry {
  host: string
  pid: number
  port: number
  token: string
  roles: string[]
}

const fileOf = (dataDir: string): string =>
  join(processFolderOf(dataDir), `${hostname()}-${process.pid}.json`)

/** Uses a separate connection, because the fault may block all connections of the pool. */
export const examinedBy = (config: Config, target: DatabaseTarget): ExaminedProcess => ({
  config,
  environment: readEnvironment(),
  isServing: true,
  async withDatabase(work) {
    const db = connect(target, { max: 1 })
    try {
      return await work(db, await checkDatabase(db, config))
    } finally {
      await db.end({ timeout: 1 })
    }
  },
})

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function answer(examined: ExaminedProcess, response: ServerResponse): Promise<void> {
  // Loaded on demand, because most processes are never queried.
  const { examine } = await import('./examine.ts')
  const checks = await examine(examined)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(checks))
}

/** Returns a function that stops it. */
export async function answerDoctor(config: Config, target: DatabaseTarget): Promise<() => Promise<void>> {
  const token = randomBytes(32).toString('hex')
  const examined = examinedBy(config, target)
  const server = createServer((request, response) => {
    if (!isAllowed(request, token)) return response.writeHead(404).end()
    answer(examined, response).catch(error => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const port = portOf(server)
  const entry: ProcessEntry = { host: hostname(), pid: process.pid, port, token, roles: [...config.roles] }
  const file = fileOf(config.dataDir)
  mkdirSync(processFolderOf(config.dataDir), { recursive: true, mode: 0o700 })
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify(entry), { mode: 0o600 })
  return async () => {
    rmSync(file, { force: true })
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  }
}
