import { EventEmitter } from 'node:events'

/** Within a process, mails are handled as soon as they are stored. Others find them in `due_work`. */

const stored = new EventEmitter().setMaxListeners(0)

export const notifyStoredMail = (projectId: string): void => void stored.emit('mail', projectId)

export function onStoredMail(listener: (projectId: string) => void): () => void {
  stored.on('mail', listener)
  return () => void stored.off('mail', listener)
}
