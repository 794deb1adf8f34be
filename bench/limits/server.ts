import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/core/config/config.ts'
import { createVault } from '../../src/core/crypto.ts'
import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { createLimiter, type Limiter } from '../../src/limits/limiter.ts'
import { createMemory } from '../../src/limits/memory.ts'

/**
 * A server whose limiter can be switched on and off, so that both are measured in one process. Each time it reports its
 * processor time so far in microseconds.
 */

const limiter = createLimiter(createMemory())
const passing = Promise.resolve({ isOver: false, retryAfter: 0 })
let isOn = true

const switched: Limiter = {
  count: (bucket, budget) => (isOn ? limiter.count(bucket, budget) : passing),
  close: () => limiter.close(),
}

async function listen(target: DatabaseTarget): Promise<number> {
  const budgets = { RATE_LIMIT_PER_KEY: '1000000000', RATE_LIMIT_PER_IP: '1000000000' }
  const app = await buildApp({
    config: readConfig(budgets),
    db: connect(target, { max: 20 }),
    log: createLog('warn'),
    vault: createVault(randomBytes(32)),
    stopping: new AbortController().signal,
    limiter: switched,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

process.on('message', async (order: DatabaseTarget | boolean) => {
  if (typeof order === 'object') return process.send!(await listen(order))
  isOn = order
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => process.exit())
