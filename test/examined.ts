import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../src/core/config.ts'
import { createVault, type Vault } from '../src/core/crypto.ts'
import { newId } from '../src/core/ids.ts'
import { verifySecretKey } from '../src/core/secret-key.ts'
import { examinedBy } from '../src/doctor/answer.ts'
import { type ExaminedProcess, examine } from '../src/doctor/examine.ts'
import { openHttpEntry } from '../src/http-entry.ts'
import { startServer, type TestServer } from './server.ts'

/** An installation that `doctor` examines, in which a test breaks one thing. */

export interface Installation {
  server: TestServer
  /** The settings under which nothing is wrong. */
  config: Config
  vault: Vault
  /** The messages of what is wrong, by the names of the checks. */
  examine(changed?: Partial<Config>, others?: Partial<ExaminedProcess>): Promise<Record<string, string>>
  close(): Promise<void>
}

/** Wrong in each run of the tests: their Postgres does not wait for the disk. */
const usual = 'durability'

export async function startInstallation(): Promise<Installation> {
  const secretKey = randomBytes(32)
  const server = await startServer({ delivers: false, config: { secretKey } })
  const front = await openHttpEntry({ ...server.config, host: '127.0.0.1', port: 0 })
  front.serve(null, async () => null)
  const config = {
    ...server.config,
    waitingPerProcess: 10,
    tabsPerProcess: 10,
    port: front.port,
    publicUrl: `http://127.0.0.1:${front.port}`,
  }
  mkdirSync(config.dataDir, { recursive: true })
  await verifySecretKey(server.db, secretKey)
  const user = newId()
  await server.db`insert into users (id, name, email) values (${user}, 'Ann', 'ann@example.com')`
  await server.db`
    insert into user_logins (id, user_id, provider_id, account_id) values (${newId()}, ${user}, 'credential', ${user})`
  return {
    server,
    config,
    vault: createVault(secretKey),
    async examine(changed = {}, others = {}) {
      const own = { ...config, ...changed }
      const checks = await examine({ ...examinedBy(own, server.target), environment: {}, ...others })
      const wrong = checks.filter(({ ok }) => !ok).map(({ name, message }) => [name, message])
      const { [usual]: fsync, ...rest } = Object.fromEntries(wrong)
      assert.ok(!fsync || fsync.startsWith('PostgreSQL runs with f'), fsync)
      return rest
    },
    async close() {
      await front.close(() => {})
      await server.close()
    },
  }
}

/** Exactly this is wrong. */
export function assertWrong(wrong: Record<string, string>, name: string, message: RegExp): void {
  assert.deepEqual(Object.keys(wrong), [name], JSON.stringify(wrong, null, 2))
  assert.match(wrong[name]!, message)
  // No stack of a fault that was not foreseen.
  assert.doesNotMatch(wrong[name]!, /\n/)
}

/** A web server on this machine until the test ends: its address. */
export async function startWeb(
  context: { after(end: () => unknown): void },
  listener: RequestListener,
): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Nothing listens there, and fetch does not refuse to ask, as it does at port 9. */
export const nowhere = 'http://127.0.0.1:2'
