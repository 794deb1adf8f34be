import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { isAbsolute } from 'node:path'
import { type PromiseId, promises } from './promises.ts'

/** The last result of a promise. bench/RESULTS.md is generated from all results. */
export interface Result {
  /** The measured values with units. */
  measured: string
  isKept: boolean
  /** Why the promise is missed or was not measured completely, and what to do next. */
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

/** A folder of this machine means nothing to the readers of a result. */
const printWord = (word: string): string => (isAbsolute(word) ? 'FOLDER' : word)

/** Removes `--record` from the arguments. If it was given, later calls of `record` write, also in child processes. */
export function startRecording(words: string[]): string[] {
  const rest = words.filter(word => word !== '--record')
  if (rest.length < words.length) process.env[variable] = ['bin/bench', ...rest.map(printWord)].join(' ')
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

/** Regenerates the page after bench/results.json was edited. */
export async function results(): Promise<number> {
  writePage()
  return 0
}

const groups = {
  W: 'Webhooks',
  L: 'Readers of the log',
  U: 'Updates',
  R: 'Limits',
  F: 'Files',
  M: 'Email',
  A: 'API, data, operation',
  T: 'Telegram',
  C: 'Custom channels',
  D: 'Dashboard',
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
    return [`## ${title}\n`, '| | what | promise | result | by |', '|---|---|---|---|---|', ...rows, ''].join(
      '\n',
    )
  })
  return `# Promises and results

Generated from bench/results.json, which a command updates if it ends with \`--record\`; do not edit. A promise that a test checks has the
test as its command. The load is the machine's load average in the minute before. [README.md](README.md) describes the commands.

${tables.join('\n')}`
}
