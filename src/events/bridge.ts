import type { Db } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { type Notifier, notifierHealth, notifiers } from './notifier.ts'

/**
 * Sends notifications between the processes that share a database. Those of a few milliseconds are sent as one NOTIFY, outside
 * the writing transaction, where NOTIFY would take a lock that all commits share. A process that misses a notification finds the
 * events by polling.
 */

const sendIntervalMs = 5

/** A payload is limited to 8,000 bytes. For more projects than this, it says only that some project has changes. */
const maxProjects = 100

/** Identifies the sender, so that a process ignores its own notifications. */
const self = newId()

/** Tells other processes when something was written here. */
export function sendNotifications(db: Db, log: Log): () => void {
  const stops = Object.entries(notifiers).map(([channel, notifier]) => send(channel, notifier, db, log))
  return () => {
    for (const one of stops) one()
  }
}

function send(channel: string, notifier: Notifier, db: Db, log: Log): () => void {
  const changed = new Set<string>()
  const notify = async () => {
    const projects = changed.size > maxProjects ? [] : [...changed]
    changed.clear()
    await db`select pg_notify(${channel}, ${[self, ...projects].join()})`.catch(error =>
      log.debug({ err: error }, 'Could not notify other processes'),
    )
  }
  return notifier.on((projectId, from) => {
    if (from === 'remote') return
    if (changed.size === 0) setTimeout(notify, sendIntervalMs)
    changed.add(projectId)
  })
}

/** Notifies the readers of this process when another process has written. If a proxy forbids LISTEN, readers only poll. */
export function receiveNotifications(db: Db, log: Log): () => Promise<void> {
  const stops = Object.entries(notifiers).map(([channel, notifier]) => {
    // Notifications are lost while the connection is down, so each new connection makes all readers query the log.
    const notifyAll = () => notifier.notify('', 'remote')
    return listen(db, log, channel, payload => forward(notifier, payload), notifyAll)
  })
  stops.push(listenForEcho(db, log))
  return async () => {
    await Promise.all(stops.map(one => one()))
  }
}

/** A proxy may accept LISTEN but deliver no notifications, so the process checks whether it receives its own. */
function listenForEcho(db: Db, log: Log): () => Promise<void> {
  notifierHealth.isLost = true
  const call = () => {
    notifierHealth.isLost = true
    db`select pg_notify('deskbell_echo', ${self})`.catch(error =>
      log.debug({ err: error }, 'Could not check whether notifications arrive'),
    )
  }
  const stop = listen(
    db,
    log,
    'deskbell_echo',
    sender => {
      if (sender === self) notifierHealth.isLost = false
    },
    call,
  )
  return async () => {
    notifierHealth.isLost = false
    await stop()
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
    log.info(
      { err: error },
      'The database does not deliver notifications between processes; they poll instead',
    )
    return null
  })
  return async () => {
    const heard = await listening
    await heard?.unlisten().catch(() => {})
  }
}

function forward(notifier: Notifier, payload: string): void {
  const [sender, ...projects] = payload.split(',')
  if (sender === self) return
  for (const projectId of projects.length ? projects : ['']) notifier.notify(projectId, 'remote')
}
