import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How much of the time a process works that has nothing to do: its jobs look at their tables. */
const idleCpuShare = 0.05

/** So much more than after the last collection is worth another one, which takes some 50 ms. */
const minGrowthBytes = 24 * 2 ** 20

function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

/**
 * Returns memory when the process is idle. V8 keeps all the space that it ever allocated for new objects, 64 MB after a
 * start, until such a collection; a smaller room (--max-semi-space-size) costs at work, where this is never done.
 * It is looked every `pause` ms whether there was.
 */
export function collectWhenIdle(pause = 10_000): () => void {
  const collect = exposeCollector()
  let hasWorked = true
  let isStarting = true
  let kept = 0
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    const isQuiet = user + system < pause * 1_000 * idleCpuShare
    if (!isQuiet) {
      hasWorked = true
      return
    }
    if (!hasWorked && process.memoryUsage().heapTotal < kept + minGrowthBytes) return
    // The thorough kind forgets code that is compiled, too: after the start most of that is needed no more.
    collect({ type: 'major', flavor: isStarting ? 'last-resort' : 'regular', execution: 'sync' })
    isStarting = false
    hasWorked = false
    kept = process.memoryUsage().heapTotal
  }
  const timer = setInterval(look, pause).unref()
  return () => clearInterval(timer)
}
