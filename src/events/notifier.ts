import { runApart } from '../core/trace.ts'

/**
 * Tells readers that something was written. A hint, never a letter: whoever hears it reads the table, and reads it
 * anyway every fraction of a second. It is rung after commit only.
 */

/** An empty project means that somebody wrote somewhere. */
type Listener = (projectId: string, from: 'here' | 'elsewhere') => void

export interface Notifier {
  on(listener: Listener): () => void
  notify(projectId: string, from?: 'here' | 'elsewhere'): void
}

function createNotifier(): Notifier {
  const listeners = new Set<Listener>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify(projectId, from = 'here') {
      runApart(() => {
        for (const listener of listeners) listener(projectId, from)
      })
    },
  }
}

/** By the name of the channel that carries it between processes. */
export const notifiers = {
  /** The log goes on. */
  deskbell_bell: createNotifier(),
  /** Somebody in the dashboard came, went, or looks at something else. */
  deskbell_presence: createNotifier(),
  /** Somebody has read a ticket. */
  deskbell_reads: createNotifier(),
}

export const { on: onLogChange, notify: notifyLogChange } = notifiers.deskbell_bell
export const { on: onPresence, notify: notifyPresence } = notifiers.deskbell_presence

/** Nobody polls for it: a mark that is not heard of is seen with whatever happens next in the ticket. */
export const notifyRead = (projectId: string, ticketId: string): void =>
  notifiers.deskbell_reads.notify(`${projectId}/${ticketId}`)

export const onRead = (listener: (projectId: string, ticketId: string) => void): (() => void) =>
  notifiers.deskbell_reads.on(name => {
    const [projectId, ticketId] = name.split('/')
    if (projectId && ticketId) listener(projectId, ticketId)
  })

/** Whether bells of other processes come through. PgBouncer in transaction mode swallows them: then all look more often. */
export const notifierHealth = { isLost: false }
