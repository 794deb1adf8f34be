import { setImmediate as nextTurn } from 'node:timers/promises'

/** Others get their turn between so many. */
const chunkSize = 50

/** Does the same for each of many, and lets the requests that came meanwhile go in between. */
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
