import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import manifest from '../package.json' with { type: 'json' }
import { metric } from './core/telemetry/metrics.ts'

const one = (value: number) => [{ value }]

metric('deskbell_info', 'Version of Deskbell and of Node.js', () => [
  { labels: { version: manifest.version, node: process.versions.node }, value: 1 },
])

metric('process_start_time_seconds', 'Start time of the process in seconds since 1970', () =>
  one(performance.timeOrigin / 1_000),
)

metric(
  'process_cpu_seconds_total',
  'Processor time of the process, without the embedded Postgres',
  () => {
    const { user, system } = process.cpuUsage()
    return one((user + system) / 1e6)
  },
  'counter',
)

metric('process_resident_memory_bytes', 'Resident memory', () => one(process.memoryUsage.rss()))

metric('nodejs_heap_used_bytes', 'Memory of JavaScript objects', () => one(process.memoryUsage().heapUsed))

/** No value if there is no /proc. */
metric('process_open_fds', 'Open files and connections', () => {
  try {
    return one(readdirSync('/proc/self/fd').length)
  } catch {
    return []
  }
})

metric(
  'nodejs_eventloop_active_seconds_total',
  'Time in which the event loop was busy; a rate near 1 means that the process is overloaded',
  () => one(performance.eventLoopUtilization().active / 1_000),
  'counter',
)

let delay: ReturnType<typeof monitorEventLoopDelay> | null = null
const quantiles = [50, 99, 100]

/** The measurement wakes the process fifty times a second, so it starts at the first scrape. */
metric(
  'nodejs_eventloop_lag_seconds',
  'How late timers fired since the last scrape; 1 is the maximum',
  () => {
    if (!delay) {
      delay = monitorEventLoopDelay({ resolution: 20 })
      delay.enable()
      return []
    }
    const samples = quantiles.map(percent => ({
      labels: { quantile: String(percent / 100) },
      value: delay!.count ? delay!.percentile(percent) / 1e9 : 0,
    }))
    delay.reset()
    return samples
  },
)
