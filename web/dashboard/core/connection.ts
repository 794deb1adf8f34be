import { createStore } from './store.ts'

/**
 * Whether the server can be reached. The first call without a response sets `lost`; /readyz sets `up` again.
 */
type Connection = 'up' | 'lost'

const connection = createStore<Connection>('up')
const returned = new Set<() => void>()

export const useConnection = connection.use
export const isLost = (): boolean => connection.get() === 'lost'

/** Calls `run` each time the server can be reached again, to load what was missed. */
export function onReturn(run: () => void): () => void {
  returned.add(run)
  return () => returned.delete(run)
}

const first = 500
const maxRetryDelayMs = 10_000
let timer: number | undefined

export function loseConnection(): void {
  if (connection.get() === 'lost') return
  connection.set('lost')
  tryLater(first)
}

/** Tries at once instead of waiting for the next attempt. */
export function reconnect(): void {
  window.clearTimeout(timer)
  void look(first)
}

function tryLater(pause: number): void {
  timer = window.setTimeout(() => void look(pause), pause)
}

const isReady = (): Promise<boolean> =>
  fetch('/readyz', { cache: 'no-store' }).then(
    answer => answer.ok,
    () => false,
  )

/** Checks whether the server can be reached, for callers that doubt it. */
export async function checkConnection(): Promise<boolean> {
  if (connection.get() === 'up' && !(await isReady())) loseConnection()
  return connection.get() === 'up'
}

async function look(pause: number): Promise<void> {
  if (!(await isReady())) return tryLater(Math.min(pause * 2, maxRetryDelayMs))
  connection.set('up')
  for (const run of returned) run()
}

window.addEventListener('offline', loseConnection)
window.addEventListener('online', () => connection.get() === 'lost' && reconnect())
