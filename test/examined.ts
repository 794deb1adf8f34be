import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../src/core/config/config.ts'
import { verifySecretKey } from '../src/core/config/secret-key.ts'
import { createVault, type Vault } from '../src/core/crypto.ts'
import { newId } from '../src/core/ids.ts'
import { examinedBy } from '../src/doctor/answer.ts'
import { type ExaminedProcess, examine } from '../src/doctor/examine.ts'
import { openHttpEntry } from '../src/http-entry.ts'
import { startServer, type TestServer } from './server.ts'

/** An installation that `doctor` examines, in which a test breaks one thing. */

export interface Installation {
  server: TestServer
  /** Settings with which `doctor` finds nothing wrong. */
  config: Config
  vault: Vault
  /** The messages of the failed checks by name. */
  examine(changed?: Partial<Config>, others?: Partial<ExaminedProcess>): Promise<Record<string, string>>
  close(): Promise<void>
}

/** Fails in each test run, because the tests' Postgres runs without fsync. */
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

/** Checks that exactly this check fails. */
export function assertWrong(wrong: Record<string, string>, name: string, message: RegExp): void {
  assert.deepEqual(Object.keys(wrong), [name], JSON.stringify(wrong, null, 2))
  assert.match(wrong[name]!, message)
  // An unexpected error would add its stack.
  assert.doesNotMatch(wrong[name]!, /\n/)
}

/** Starts a web server on this machine until the test ends, and returns its address. */
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

/** No server listens on this port, and fetch does not block it, as it blocks port 9. */
export const nowhere = 'http://127.0.0.1:2'
