/**
 * Tells readers of the log that something was written. A hint, never a letter: whoever hears it reads the table,
 * and reads it anyway every fraction of a second. It is rung after commit only.
 */

type Listener = (projectId: string) => void

const listeners = new Set<Listener>()

export function onBell(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function ringBell(projectId: string): void {
  for (const listener of listeners) listener(projectId)
}
