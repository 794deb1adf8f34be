import { setImmediate as nextTurn } from 'node:timers/promises'

/** Other requests run after each chunk of this many items. */
const chunkSize = 50

/** Runs the same action for each item, and lets other requests run in between. */
export async function inChunks<T>(
  items: T[],
  act: (item: T) => void,
  pause: () => Promise<unknown> = nextTurn,
): Promise<void> {
  for (let at = 0; at < items.length; at += chunkSize) {
    for (const item of items.slice(at, at + chunkSize)) act(item)
    await pause()
  }
}
