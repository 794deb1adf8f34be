import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/core/config/config.ts'
import { createVault, type Vault } from '../src/core/crypto.ts'
import type { DatabaseTarget } from '../src/core/db/db.ts'
import { createLog, type Log } from '../src/core/telemetry/log.ts'
import type { Store } from '../src/events/log.ts'
import type { Limiter } from '../src/limits/limiter.ts'
import type { Dispatcher } from '../src/webhooks/dispatch.ts'
import type { Sender } from '../src/webhooks/send.ts'
import { startDelivering } from '../src/webhooks/worker.ts'
import { type Member, makeCast } from './cast.ts'
import { type Client, createClient } from './client.ts'
import { createDatabase } from './database.ts'
import { assertStamped, watchVersions } from './versions.ts'

export interface TestServer {
  /** The base URL of the API, up to /api/v1. */
  url: string
  db: Store
  /** The target of the database, for connections of another process. */
  target: DatabaseTarget
  /** The fan-out of `db`. */
  dispatcher: Dispatcher
  app: FastifyInstance
  config: Config
  log: Log
  vault: Vault
  stopping: AbortSignal
  acme: Member
  rival: Member
  /** Clients of Acme, of Rival, and without a key. */
  api: Client
  outsider: Client
  stranger: Client
  close(): Promise<void>
}

export interface ServerOptions {
  config?: Partial<Config>
  /** Whether webhooks are delivered; turn it off in tests of the queue. */
  delivers?: boolean
  /** Replaces the sender that the settings would create. */
  sender?: Sender
  /** Replaces the limiter that the settings would create. */
  limiter?: Limiter
}

/** Starts the whole application with its own database on a free port, and two projects. */
export async function startServer({
  config: own,
  delivers = true,
  sender,
  limiter,
}: ServerOptions = {}): Promise<TestServer> {
  const { db, target, dispatcher, drop } = await createDatabase({ max: own?.databasePool })
  await watchVersions(db)
  const dataDir = join(tmpdir(), `deskbell-data-${randomBytes(6).toString('hex')}`)
  const given = readConfig({ PUBLIC_URL: 'http://localhost', RATE_LIMIT_PER_IP: '1000000' })
  const config = { ...given, dataDir, ...own }
  const log = createLog('silent')
  const vault = createVault(randomBytes(32))
  const stopping = new AbortController().signal
  const app = await buildApp({ config, db, log, vault, sender, stopping, limiter })
  await app.listen({ port: own?.port ?? 0, host: '127.0.0.1' })
  const delivering = delivers ? startDelivering({ config, db, log, vault, sender, dispatcher }) : null
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1`
  const cast = await makeCast(db)
  return {
    url,
    db,
    target,
    dispatcher,
    app,
    config,
    log,
    vault,
    stopping,
    ...cast,
    api: createClient(url, cast.acme.key.key),
    outsider: createClient(url, cast.rival.key.key),
    stranger: createClient(url),
    async close() {
      await delivering?.stop()
      app.server.closeAllConnections()
      await app.close()
      await assertStamped(db)
      await drop()
      rmSync(config.dataDir, { recursive: true, force: true })
    },
  }
}
