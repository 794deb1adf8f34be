import type { Db } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { onBell, ringBell } from './bell.ts'

/**
 * Carries the bell between the processes on one database. Bells of one moment are one NOTIFY, sent outside the writing
 * transaction, where it would take a lock that all commits share. Nothing rests on it: who does not hear it polls.
 */

const channel = 'deskbell_bell'
const pace = 5

/** A payload takes 8,000 bytes; for more projects than this it says that somebody wrote somewhere. */
const mostProjects = 100

/** Its own bells have been heard here already. */
const self = newId()

/** Tells other processes when something was written here. */
export function sendBells(db: Db, log: Log): () => void {
  const rung = new Set<string>()
  const send = async () => {
    const projects = rung.size > mostProjects ? [] : [...rung]
    rung.clear()
    await db`select pg_notify(${channel}, ${[self, ...projects].join()})`.catch(error =>
      log.debug({ err: error }, 'The bell was not sent'),
    )
  }
  return onBell((projectId, from) => {
    if (from === 'elsewhere') return
    if (rung.size === 0) setTimeout(send, pace)
    rung.add(projectId)
  })
}

/** Rings here when something was written elsewhere; a proxy that forbids LISTEN leaves it at polling. */
export function hearBells(db: Db, log: Log): () => Promise<void> {
  const ringForAll = () => ringBell('', 'elsewhere')
  // What was written while the connection was lost has rung unheard: each new one looks at once.
  const listening = db.listen(channel, hear, ringForAll).catch(error => {
    log.info({ err: error }, 'The database does not pass bells between processes; they poll')
    return null
  })
  return async () => {
    const heard = await listening
    await heard?.unlisten().catch(() => {})
  }
}

function hear(payload: string): void {
  const [sender, ...projects] = payload.split(',')
  if (sender === self) return
  for (const projectId of projects.length ? projects : ['']) ringBell(projectId, 'elsewhere')
}
