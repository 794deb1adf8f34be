import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { type PromiseId, promises } from './promises.ts'

/** What a command last showed of a promise; bench/RESULTS.md is printed from all of them. */
export interface Result {
  /** What was seen, with units. */
  measured: string
  isKept: boolean
  /** Why it is missed, or what was not shown at its full size, and what comes next. */
  note?: string
  command: string
  /** YYYY-MM-DD */
  date: string
  machine: string
}

const file = (name: string) => new URL(name, import.meta.url)
const variable = 'DESKBELL_BENCH_RECORDS'

export const readResults = (): Partial<Record<PromiseId, Result>> =>
  JSON.parse(readFileSync(file('results.json'), 'utf8'))

/** Takes `--record` out of a command's words; later calls of `record`, in this process or one it starts, write then. */
export function startRecording(words: string[]): string[] {
  const rest = words.filter(word => word !== '--record')
  if (rest.length < words.length) process.env[variable] = ['bin/bench', ...rest].join(' ')
  return rest
}

const machine = () =>
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, load ${Math.round(loadavg()[0]!)}`

export function record(id: PromiseId, seen: Pick<Result, 'measured' | 'isKept' | 'note'>): void {
  const command = process.env[variable]
  if (!command) return
  const date = new Date().toISOString().slice(0, 10)
  const all = { ...readResults(), [id]: { ...seen, command, date, machine: machine() } }
  const sorted = Object.keys(promises).flatMap(id => (id in all ? [[id, all[id as PromiseId]]] : []))
  writeFileSync(file('results.json'), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  writePage()
}

const writePage = () => writeFileSync(file('RESULTS.md'), printResults())

/** The page anew, after bench/results.json was edited. */
export async function results(): Promise<number> {
  writePage()
  return 0
}

const groups = {
  W: 'Webhooks',
  U: 'Updates',
  R: 'Limits',
  F: 'Files',
  A: 'API, data, operation',
} as const

function printRow(id: PromiseId, result: Result | undefined): string {
  const [promise, figure] = promises[id]
  const cells = result ? [printSeen(result), printSource(result)] : ['not measured', '']
  return `| ${[id, promise, figure, ...cells].map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const printSeen = ({ measured, isKept, note }: Result) =>
  `${isKept ? '' : '**missed**: '}${measured}${note ? `. ${note}` : ''}`

const printSource = ({ command, date, machine }: Result) => `\`${command}\`, ${date}, ${machine}`

/** The text of bench/RESULTS.md. */
export function printResults(): string {
  const all = readResults()
  const ids = Object.keys(promises) as PromiseId[]
  const tables = Object.entries(groups).map(([letter, title]) => {
    const rows = ids.filter(id => id.startsWith(letter)).map(id => printRow(id, all[id]))
    return [`## ${title}\n`, '| | what | promised | seen | by |', '|---|---|---|---|---|', ...rows, ''].join(
      '\n',
    )
  })
  return `# Promises, and what was seen of them

Made of bench/results.json, which a command writes when it ends with \`--record\`; do not edit. What a test shows has the test as its
command. The load is that of all programs of the machine in the minute before. [README.md](README.md) says what each command does.

${tables.join('\n')}`
}
