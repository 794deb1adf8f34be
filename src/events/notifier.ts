import { runApart } from '../core/trace.ts'

/**
 * Notifies readers that something was written, always after the commit. A notification carries no data: readers query the table,
 * and they poll it anyway several times a second.
 */

/** An empty project id means that any project may have changes. */
type Listener = (projectId: string, from: 'local' | 'remote') => void

export interface Notifier {
  on(listener: Listener): () => void
  notify(projectId: string, from?: 'local' | 'remote'): void
}

function createNotifier(): Notifier {
  const listeners = new Set<Listener>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify(projectId, from = 'local') {
      runApart(() => {
        for (const listener of listeners) listener(projectId, from)
      })
    },
  }
}

/** Keyed by the name of the channel that connects the processes. */
export const notifiers = {
  /** The log has new events. */
  deskbell_bell: createNotifier(),
  /** An operator opened or closed the dashboard, or views something else. */
  deskbell_presence: createNotifier(),
  /** A ticket was marked as read. */
  deskbell_reads: createNotifier(),
}

export const { on: onLogChange, notify: notifyLogChange } = notifiers.deskbell_bell
export const { on: onPresence, notify: notifyPresence } = notifiers.deskbell_presence

/** There is no polling for read marks: if a notification is lost, the mark becomes visible with the next event of the ticket. */
export const notifyRead = (projectId: string, ticketId: string): void =>
  notifiers.deskbell_reads.notify(`${projectId}/${ticketId}`)

export const onRead = (listener: (projectId: string, ticketId: string) => void): (() => void) =>
  notifiers.deskbell_reads.on(name => {
    const [projectId, ticketId] = name.split('/')
    if (projectId && ticketId) listener(projectId, ticketId)
  })

/** Whether notifications of other processes arrive. PgBouncer in transaction mode drops them; then all readers poll more often. */
export const notifierHealth = { isLost: false }
