import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work after which other work can run. */
const maxTurnMs = 10

/** Returns a function to be awaited between pieces of long work. */
export function createTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < maxTurnMs) return
    await nextTurn()
    since = performance.now()
  }
}
