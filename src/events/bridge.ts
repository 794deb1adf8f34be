import type { Db } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { type Bell, bells, hearing } from './bell.ts'

/**
 * Carries the bells between the processes on one database. Bells of one moment are one NOTIFY, sent outside the writing
 * transaction, where it would take a lock that all commits share. Nothing rests on it: who does not hear it polls.
 */

const pace = 5

/** A payload is limited to 8,000 bytes. For more projects than this, it says only that somebody wrote somewhere. */
const mostProjects = 100

/** Its own bells have been heard here already. */
const self = newId()

/** Tells other processes when something was written here. */
export function sendBells(db: Db, log: Log): () => void {
  const undo = Object.entries(bells).map(([channel, bell]) => send(channel, bell, db, log))
  return () => {
    for (const one of undo) one()
  }
}

function send(channel: string, bell: Bell, db: Db, log: Log): () => void {
  const rung = new Set<string>()
  const notify = async () => {
    const projects = rung.size > mostProjects ? [] : [...rung]
    rung.clear()
    await db`select pg_notify(${channel}, ${[self, ...projects].join()})`.catch(error =>
      log.debug({ err: error }, 'The bell was not sent'),
    )
  }
  return bell.on((projectId, from) => {
    if (from === 'elsewhere') return
    if (rung.size === 0) setTimeout(notify, pace)
    rung.add(projectId)
  })
}

/** Rings here when something was written elsewhere; a proxy that forbids LISTEN leaves it at polling. */
export function hearBells(db: Db, log: Log): () => Promise<void> {
  const undo = Object.entries(bells).map(([channel, bell]) => {
    // What was written while the connection was lost has rung unheard: each new one looks at once.
    const ringForAll = () => bell.ring('', 'elsewhere')
    return listen(db, log, channel, payload => ring(bell, payload), ringForAll)
  })
  undo.push(listenForEcho(db, log))
  return async () => {
    await Promise.all(undo.map(one => one()))
  }
}

/** A proxy may accept LISTEN and pass on no notifications. So the process checks whether it receives its own. */
function listenForEcho(db: Db, log: Log): () => Promise<void> {
  hearing.isLost = true
  const call = () => {
    hearing.isLost = true
    db`select pg_notify('deskbell_echo', ${self})`.catch(error =>
      log.debug({ err: error }, 'No echo was asked for'),
    )
  }
  const undo = listen(
    db,
    log,
    'deskbell_echo',
    sender => {
      if (sender === self) hearing.isLost = false
    },
    call,
  )
  return async () => {
    hearing.isLost = false
    await undo()
  }
}

function listen(
  db: Db,
  log: Log,
  channel: string,
  hear: (payload: string) => void,
  onConnect: () => void,
): () => Promise<void> {
  const listening = db.listen(channel, hear, onConnect).catch(error => {
    log.info({ err: error }, 'The database does not pass bells between processes; they poll')
    return null
  })
  return async () => {
    const heard = await listening
    await heard?.unlisten().catch(() => {})
  }
}

function ring(bell: Bell, payload: string): void {
  const [sender, ...projects] = payload.split(',')
  if (sender === self) return
  for (const projectId of projects.length ? projects : ['']) bell.ring(projectId, 'elsewhere')
}
