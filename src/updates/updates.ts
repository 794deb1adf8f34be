import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import { refuse } from '../core/errors.ts'
import { inTime, within } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
import { createReader, type Page, type Question, type Read } from '../events/page.ts'
import { answerInTurns, type CheckPasses, type Outcome, Room, type Visitor } from '../events/room.ts'
import { Seats } from '../events/seats.ts'
import { measureSeats } from '../events/waiters.ts'
import { watch } from '../events/watch.ts'
import { printUpdates } from './print.ts'

export interface Deps {
  config: Pick<Config, 'waitingPerKey' | 'waitingPerProcess'>
  db: Db
  log: Log
  checkKeys: CheckPasses
  /** Fires when the process is to end: who waits is answered at once, and nobody waits any more. */
  stopping: AbortSignal
}

export interface Asked {
  keyId: string
  question: Question
  /** Milliseconds; 0 does not wait. */
  timeout: number
  /** Calls back when the caller has gone. */
  onGone(leave: () => void): void
}

export interface Updates {
  /** What follows the cursor, as soon as there is something; an empty page when nothing came in time. */
  wait(asked: Asked): Promise<Outcome>
  stop(): void
}

/** Between the answers of a stop: 10,000 callers come back over two seconds, not at once. */
const stopPause = 10

export function openUpdates({ config, db, log, checkKeys, stopping }: Deps): Updates {
  const read = createReader(db, printUpdates)
  const room = new Room(read, keys => inTime(checkKeys(keys)))
  const seats = new Seats({
    each: config.waitingPerKey,
    inAll: config.waitingPerProcess,
    reason: 'too_many_waiting',
  })
  const undo = [watch(room, db, log), measureSeats('updates', seats)]
  stopping.addEventListener('abort', () => void letGo(room))

  async function wait({ keyId, question, timeout, onGone }: Asked): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const pass = { id: keyId, projectId: question.projectId }
    const visitor: Visitor = { pass, question, page: null, answer: resolve }
    const place = room.enter(visitor)
    let isGone = false
    onGone(() => {
      isGone = true
      if (visitor.page) resolve(visitor.page)
    })
    try {
      const page = await readFirst(read, question)
      if (page.isNews || timeout === 0 || isGone || stopping.aborted) return page
      seats.take(keyId)
      place.wait(page).catch(error => log.warn({ err: error }, 'Could not look again for one who waits'))
      return await within(timeout, promise, () => visitor.page!).finally(() => seats.free(keyId))
    } finally {
      place.leave()
    }
  }

  return {
    wait,
    stop() {
      for (const one of undo) one()
    },
  }
}

const letGo = (room: Room): Promise<void> =>
  answerInTurns(
    room.listWaiting(),
    ({ page }) => page,
    () => sleep(stopPause),
  )

/** A cursor that no answer can have given: of another project, or of a database that was put back since. */
async function readFirst(read: Read, question: Question): Promise<Page> {
  const page = await read(question)
  if (page.isAhead) throw refuse('after', 'in_the_future', { last_seq: page.last_seq })
  return page
}
