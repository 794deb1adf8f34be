import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The share of time that an idle process works, because its jobs check their tables. */
const idleCpuShare = 0.05

/** Growth since the last collection that is worth another one, which takes about 50 ms. */
const minGrowthBytes = 24 * 2 ** 20

function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

/**
 * Returns memory when the process is idle, which it checks every `pause` ms. Without such a collection, V8 keeps all the space
 * that it ever allocated for new objects, 64 MB after a start. A smaller space (--max-semi-space-size) would make a busy process
 * slower.
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
    // The last-resort kind also discards compiled code, most of which is not needed after the start.
    collect({ type: 'major', flavor: isStarting ? 'last-resort' : 'regular', execution: 'sync' })
    isStarting = false
    hasWorked = false
    kept = process.memoryUsage().heapTotal
  }
  const timer = setInterval(look, pause).unref()
  return () => clearInterval(timer)
}
