import { runApart } from '../core/telemetry/trace.ts'

/**
 * Notifies readers that something was written, always after the commit. A notification carries no data: readers query the table,
 * and they poll it anyway several times a second.
 */

/** `sent`: written in this process, which already sends all deliveries. */
type Origin = 'local' | 'sent' | 'remote'

/** An empty project id means that any project may have changes. */
type Listener = (projectId: string, from: Origin) => void

export interface Notifier {
  on(listener: Listener): () => void
  notify(projectId: string, from?: Origin): void
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
  /** A message changed without an event. */
  deskbell_messages: createNotifier(),
  /** A program changed an operator's draft. */
  deskbell_drafts: createNotifier(),
  /** A mailbox has emails to send. */
  deskbell_outgoing: createNotifier(),
  /** A chat of a bot has messages to send. */
  deskbell_outgoing_telegram: createNotifier(),
  /** A bot has received updates. */
  deskbell_telegram: createNotifier(),
}

export const { on: onLogChange, notify: notifyLogChange } = notifiers.deskbell_bell
export const { on: onPresence, notify: notifyPresence } = notifiers.deskbell_presence

const notifyAbout =
  (notifier: Notifier) =>
  (projectId: string, id: string): void =>
    notifier.notify(`${projectId}/${id}`)

const onNotice =
  (notifier: Notifier) =>
  (listener: (projectId: string, id: string) => void): (() => void) =>
    notifier.on(name => {
      const [projectId, id] = name.split('/')
      if (projectId && id) listener(projectId, id)
    })

/** There is no polling for read marks: if a notification is lost, the mark becomes visible with the next event of the ticket. */
export const notifyRead = notifyAbout(notifiers.deskbell_reads)
export const onRead = onNotice(notifiers.deskbell_reads)

/** These messages are not polled for either: if a notification is lost, the change becomes visible when the message is loaded again. */
export const notifyMessageChange = notifyAbout(notifiers.deskbell_messages)
export const onMessageChange = onNotice(notifiers.deskbell_messages)

/** About a project and one of its mailboxes. */
export const notifyOutgoingEmail = notifyAbout(notifiers.deskbell_outgoing)
export const onOutgoingEmail = onNotice(notifiers.deskbell_outgoing)

/** About a project and one of its chats. Processes of an older version, which know only mailboxes, do not listen to this. */
export const notifyOutgoingTelegram = notifyAbout(notifiers.deskbell_outgoing_telegram)
export const onOutgoingTelegram = onNotice(notifiers.deskbell_outgoing_telegram)

/** About a project and its bot. */
export const notifyBotUpdates = notifyAbout(notifiers.deskbell_telegram)
export const onBotUpdates = onNotice(notifiers.deskbell_telegram)

/** About a project and the operator whose draft changed. If the notification is lost, the draft appears when the ticket is next opened. */
export const notifyDraftChange = notifyAbout(notifiers.deskbell_drafts)
export const onDraftChange = onNotice(notifiers.deskbell_drafts)

/** Whether notifications of other processes arrive. PgBouncer in transaction mode drops them; then all readers poll more often. */
export const notifierHealth = { isLost: false }
