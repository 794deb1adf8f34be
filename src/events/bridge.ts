import type { Db } from '../core/db.ts'
import type { Log } from '../core/log.ts'
import { onBell, ringBell } from './bell.ts'

/**
 * Carries the bell between processes that share the work by ROLES. Bells of one moment are one NOTIFY, sent outside
 * the writing transaction, where it would take a lock that all commits share. Nothing rests on it: who does not hear it
 * polls.
 */

const channel = 'deskbell_bell'
const pace = 5

/** Tells other processes when something was written here. */
export function sendBells(db: Db, log: Log): () => void {
  let isWaiting = false
  const send = async () => {
    isWaiting = false
    await db`select pg_notify(${channel}, '')`.catch(error =>
      log.debug({ err: error }, 'The bell was not sent'),
    )
  }
  return onBell(() => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(send, pace)
  })
}

/** Rings here when something was written elsewhere; a proxy that forbids LISTEN leaves it at polling. */
export function hearBells(db: Db, log: Log): () => Promise<void> {
  const listening = db
    .listen(channel, () => ringBell(''))
    .catch(error => {
      log.info({ err: error }, 'The database does not pass bells between processes; they poll')
      return null
    })
  return async () => {
    const heard = await listening
    await heard?.unlisten().catch(() => {})
  }
}
