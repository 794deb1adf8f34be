import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { DeliveryResult } from './record.ts'
import { createResultWriter } from './result-writer.ts'

const { db, close } = await startServer({ delivers: false })
after(close)

interface Warning {
  err: Error
}

function open(onWarning = () => {}) {
  const warned: [Warning, string][] = []
  const warn = (...words: [Warning, string]) => {
    warned.push(words)
    onWarning()
  }
  return { warned, finisher: createResultWriter(db, { warn } as unknown as Log) }
}

/** The outcome of a delivery that another process has already ended. */
const settled = (): DeliveryResult => ({
  project_id: newId(),
  webhook_id: newId(),
  id: newId(),
  claim_id: newId(),
  place: null,
  status: 'succeeded',
  entry: null,
  pause: null,
})

test('a writer is behind once an outcome has waited two seconds, until it is written', async () => {
  const { finisher, warned } = open()
  assert.deepEqual([finisher.isBehind(), finisher.isIdle()], [false, true])
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table webhook_queue`
    const begun = performance.now()
    finisher.add(settled())
    await until(async () => {
      const [row] = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return row
    })
    const isLate = performance.now() - begun > 2_000
    assert.deepEqual([finisher.isBehind(), finisher.isIdle()], [isLate, false])
    await until(() => finisher.isBehind())
    assert.ok(performance.now() - begun > 2_000)
  })
  await finisher.idle()
  assert.deepEqual([finisher.isBehind(), finisher.isIdle()], [false, true])
  assert.deepEqual(warned, [])
})

/** Makes all writes of outcomes fail while `act` runs. */
async function without(table: string, act: () => Promise<void>): Promise<void> {
  await db`alter table ${db(table)} rename to away`
  try {
    await act()
  } finally {
    await db`alter table away rename to ${db(table)}`
  }
}

test('after a failed write, the writer is behind at once, logs it, and retries until it succeeds', async () => {
  const { finisher, warned } = open()
  await without('webhook_queue', async () => {
    finisher.add(settled())
    await until(() => warned.length)
    assert.equal(finisher.isBehind(), true)
    await until(() => warned.length > 1)
  })
  await finisher.idle()
  assert.deepEqual([finisher.isBehind(), finisher.isIdle()], [false, true])
  for (const [{ err }, words] of warned) {
    assert.match(err.message, /webhook_queue/)
    assert.match(words, /will retry/)
  }
})

test('a stop gives up outcomes that cannot be written', async () => {
  const { finisher, warned } = open(() => finisher.stop())
  await without('webhook_queue', async () => {
    finisher.add(settled())
    await finisher.idle()
  })
  assert.equal(warned.length, 1)
})
