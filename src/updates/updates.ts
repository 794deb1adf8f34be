import { setTimeout as sleep } from 'node:timers/promises'
import { inTime, within } from '../core/async/in-time.ts'
import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import { refuse } from '../core/errors.ts'
import type { Log } from '../core/telemetry/log.ts'
import { measureConnections } from '../events/connection-metrics.ts'
import { ConnectionQuota } from '../events/connection-quota.ts'
import { followLog } from '../events/follow-log.ts'
import {
  answerInChunks,
  type CheckCredentials,
  Hub,
  type Subscriber,
  type WaitOutcome,
} from '../events/hub.ts'
import { createLogReader, type LogPage, type LogQuery, type ReadLog } from '../events/log-page.ts'
import { printUpdates } from './print.ts'

export interface UpdatesDeps {
  config: Pick<Config, 'waitingPerKey' | 'waitingPerProcess'>
  db: Db
  log: Log
  checkKeys: CheckCredentials
  /** Aborts when the process stops: waiting calls are answered at once, and later calls do not wait. */
  stopping: AbortSignal
}

export interface UpdatesRequest {
  keyId: string
  query: LogQuery
  /** Milliseconds; 0 does not wait. */
  timeout: number
  /** Registers a callback for when the caller disconnects. */
  onGone(leave: () => void): void
}

export interface Updates {
  /** Resolves with the events after the cursor as soon as there are any, or with an empty page at the timeout. */
  wait(asked: UpdatesRequest): Promise<WaitOutcome>
  stop(): void
}

/** The pause between chunks of answers at a stop, so that 10,000 callers reconnect over two seconds instead of at once. */
const stopPauseMs = 10

export function openUpdates({ config, db, log, checkKeys, stopping }: UpdatesDeps): Updates {
  const read = createLogReader(db, printUpdates)
  const hub = new Hub(read, (projectId, keys) => inTime(checkKeys(projectId, keys)))
  const connections = new ConnectionQuota({
    perHolder: config.waitingPerKey,
    total: config.waitingPerProcess,
    reason: 'too_many_waiting',
  })
  const undo = [followLog(hub, db, log), measureConnections('updates', connections)]
  stopping.addEventListener('abort', () => void answerWaiting(hub))

  async function wait({ keyId, query, timeout, onGone }: UpdatesRequest): Promise<WaitOutcome> {
    const { promise, resolve } = Promise.withResolvers<WaitOutcome>()
    const credential = { id: keyId, projectId: query.projectId }
    const subscriber: Subscriber = { credential, query, page: null, answer: resolve }
    const subscription = hub.subscribe(subscriber)
    let isGone = false
    onGone(() => {
      isGone = true
      if (subscriber.page) resolve(subscriber.page)
    })
    try {
      const page = await readFirst(read, query)
      if (page.hasEvents || timeout === 0 || isGone || stopping.aborted) return page
      connections.acquire(keyId)
      subscription
        .wait(page)
        .catch(error => log.warn({ err: error }, 'Could not read again for a waiting call'))
      return await within(timeout, promise, () => subscriber.page!).finally(() => connections.release(keyId))
    } finally {
      subscription.leave()
    }
  }

  return {
    wait,
    stop() {
      for (const one of undo) one()
    },
  }
}

const answerWaiting = (hub: Hub): Promise<void> =>
  answerInChunks(
    hub.listWaiting(),
    ({ page }) => page,
    () => sleep(stopPauseMs),
  )

/** Refuses a cursor beyond the end of the log, which is from another project, or from before the database was restored. */
async function readFirst(read: ReadLog, query: LogQuery): Promise<LogPage> {
  const page = await read(query)
  if (page.isAhead) throw refuse('after', 'in_the_future', { last_seq: page.last_seq })
  return page
}
