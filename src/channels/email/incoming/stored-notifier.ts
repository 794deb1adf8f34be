import { EventEmitter } from 'node:events'

/** Triggers handling as soon as this process has stored an email. Other processes find it in `due_work`. */

const stored = new EventEmitter().setMaxListeners(0)

export const notifyStoredMail = (projectId: string): void => void stored.emit('mail', projectId)

export function onStoredMail(listener: (projectId: string) => void): () => void {
  stored.on('mail', listener)
  return () => void stored.off('mail', listener)
}
