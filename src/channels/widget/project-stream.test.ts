import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createLog } from '../../core/telemetry/log.ts'
import { Hub } from '../../events/hub.ts'
import { ProjectStream } from './project-stream.ts'

test('if the log of a project cannot be read, waiting clients get the error, and no unhandled rejection occurs without them', async context => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  context.after(() => process.off('unhandledRejection', note))
  const read = async () => {
    throw new Error('The database is away')
  }
  const hub = new Hub(read, async () => ({ isMaintenance: false, revoked: new Set() }))
  const projectStream = new ProjectStream({ db: null as never, log: createLog('silent'), read, hub }, 'acme')
  // Node.js reports unhandled rejections after all microtasks.
  await once(AbortSignal.timeout(1), 'abort')
  assert.deepEqual(unhandled, [])
  await assert.rejects(projectStream.started, /The database is away/)
})
