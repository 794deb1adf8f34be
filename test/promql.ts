import { isDeepStrictEqual } from 'node:util'

/**
 * The part of PromQL that the alert rules of docs/operations.md need, evaluated on two scrapes of one
 * process.
 */

type Labels = Record<string, string>
interface Series {
  name: string
  labels: Labels
  value: number
}

const readLabels = (text = ''): Labels =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))

export const parseScrape = (text: string): Series[] =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels, value]) => ({
    name: name!,
    labels: readLabels(labels),
    value: Number(value),
  }))

/** Two scrapes, and the time of evaluation in seconds since 1970. */
export interface Moment {
  before: string
  after: string
  now: number
}

interface Found {
  labels: Labels
  value: number
}

const seconds: Record<string, number> = { m: 60, h: 3_600 }

/** `name` or `name{label="x"}`. */
function select(text: string, scrape: string): Found[] {
  const [, name, inside] = /^(\w+)(?:\{(.*)\})?$/.exec(text.trim())!
  const wanted = Object.entries(readLabels(inside))
  return parseScrape(scrape).filter(
    one => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
  )
}

/** `increase(selector[5m])` or `rate(…)`. Series missing in the first scrape start at 0. */
function rise(text: string, { before, after }: Moment): Found[] | null {
  const [, kind, selector, amount, unit] = /^(increase|rate)\((.+)\[(\d+)([mh])\]\)$/.exec(text) ?? []
  if (!kind) return null
  const earlier = select(selector!, before)
  const over = kind === 'rate' ? Number(amount) * seconds[unit!]! : 1
  return select(selector!, after).map(({ labels, value }) => {
    const start = earlier.find(one => isDeepStrictEqual(one.labels, labels))?.value ?? 0
    return { labels, value: (value - start) / over }
  })
}

const folds: Record<string, (values: number[]) => number> = {
  sum: values => values.reduce((all, one) => all + one, 0),
  max: values => Math.max(...values),
  min: values => Math.min(...values),
}

/** `sum by (job) (…)`. */
function fold(text: string, moment: Moment): Found[] | null {
  const [, kind, by, inner] = /^(sum|max|min)(?: by \((\w+)\) )?\((.*)\)$/.exec(text) ?? []
  if (!kind) return null
  const groups = Map.groupBy(evaluate(inner!, moment), ({ labels }) => (by ? (labels[by] ?? '') : ''))
  return [...groups].map(([value, ones]) => ({
    labels: by ? { [by]: value } : {},
    value: folds[kind]!(ones.map(one => one.value)),
  }))
}

function evaluate(text: string, moment: Moment): Found[] {
  const [, later] = /^time\(\) - (.*)$/.exec(text) ?? []
  if (later) return evaluate(later, moment).map(one => ({ ...one, value: moment.now - one.value }))
  const [, above, below] = /^(.*\)) \/ (.*)$/.exec(text) ?? []
  if (below) {
    const [share] = evaluate(below, moment)
    return evaluate(above!, moment).map(one => ({ ...one, value: one.value / share!.value }))
  }
  return rise(text, moment) ?? fold(text, moment) ?? select(text, moment.after)
}

/** The labels of the series for which a rule fires. */
export function complaints(expr: string, moment: Moment): Labels[] {
  const [, left, sign, bound] = /^(.*) ([<>]) ([\d.]+)$/.exec(expr)!
  const isWrong = (value: number) => (sign === '>' ? value > Number(bound) : value < Number(bound))
  return evaluate(left!, moment)
    .filter(({ value }) => isWrong(value))
    .map(({ labels }) => labels)
}
