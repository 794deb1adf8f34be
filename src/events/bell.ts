/**
 * Tells readers of the log that something was written. A hint, never a letter: whoever hears it reads the table,
 * and reads it anyway every fraction of a second. It is rung after commit only.
 */

/** An empty project means that somebody wrote somewhere. */
type Listener = (projectId: string, from: 'here' | 'elsewhere') => void

const listeners = new Set<Listener>()

export function onBell(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function ringBell(projectId: string, from: 'here' | 'elsewhere' = 'here'): void {
  for (const listener of listeners) listener(projectId, from)
}
