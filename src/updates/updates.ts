import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import { refuse } from '../core/errors.ts'
import { inTime, within } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
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
  /** Fires when the process is to end: who waits is answered at once, and nobody waits any more. */
  stopping: AbortSignal
}

export interface UpdatesRequest {
  keyId: string
  question: LogQuery
  /** Milliseconds; 0 does not wait. */
  timeout: number
  /** Calls back when the caller has gone. */
  onGone(leave: () => void): void
}

export interface Updates {
  /** What follows the cursor, as soon as there is something; an empty page when nothing came in time. */
  wait(asked: UpdatesRequest): Promise<WaitOutcome>
  stop(): void
}

/** Between the answers of a stop: 10,000 callers come back over two seconds, not at once. */
const stopPauseMs = 10

export function openUpdates({ config, db, log, checkKeys, stopping }: UpdatesDeps): Updates {
  const read = createLogReader(db, printUpdates)
  const hub = new Hub(read, keys => inTime(checkKeys(keys)))
  const connections = new ConnectionQuota({
    perHolder: config.waitingPerKey,
    total: config.waitingPerProcess,
    reason: 'too_many_waiting',
  })
  const undo = [followLog(hub, db, log), measureConnections('updates', connections)]
  stopping.addEventListener('abort', () => void answerWaiting(hub))

  async function wait({ keyId, question, timeout, onGone }: UpdatesRequest): Promise<WaitOutcome> {
    const { promise, resolve } = Promise.withResolvers<WaitOutcome>()
    const credential = { id: keyId, projectId: question.projectId }
    const subscriber: Subscriber = { credential: credential, question, page: null, answer: resolve }
    const subscription = hub.subscribe(subscriber)
    let isGone = false
    onGone(() => {
      isGone = true
      if (subscriber.page) resolve(subscriber.page)
    })
    try {
      const page = await readFirst(read, question)
      if (page.isNews || timeout === 0 || isGone || stopping.aborted) return page
      connections.acquire(keyId)
      subscription
        .wait(page)
        .catch(error => log.warn({ err: error }, 'Could not look again for one who waits'))
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

/** A cursor that no answer can have given: of another project, or of a database that was put back since. */
async function readFirst(read: ReadLog, question: LogQuery): Promise<LogPage> {
  const page = await read(question)
  if (page.isAhead) throw refuse('after', 'in_the_future', { last_seq: page.last_seq })
  return page
}
