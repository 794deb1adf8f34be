import { renameSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../src/core/config/config.ts'

/**
 * Loaded before every test file: records each distinct statement that the product code runs in this process, and writes them to
 * a folder when the process ends. test/conventions/distribution.test.ts plans them.
 */

export interface RecordedStatement {
  text: string
  /** The OIDs of the types of the parameters, 0 if Postgres infers the type. */
  types: number[]
  /** Where the template is: `src/tickets/queries.ts:12:7`. */
  origin: string
  /** For each parameter the position of the first one that had the same value whenever the statement ran. */
  equals: number[]
}

export interface Recording {
  statements: RecordedStatement[]
  /** Where the templates are that ran, as statements or as parts of statements. */
  templates: string[]
}

interface Query {
  tagged: boolean
  strings: object
  string: string
  /** Of a query that is not a template. */
  calledAt?: Error
  parameters: unknown[]
  statement: { types: number[] }
}

/** The product code's template at the top of the stack, or null for one of a test. */
function locate(stack = ''): string | null {
  const frame = stack.split('\n').find(line => line.includes('file://') && !line.includes('/vendor/'))
  const [, url, place] = /(file:\/\/.*?)(:\d+:\d+)\)?$/.exec(frame ?? '') ?? []
  if (!url) return null
  const path = relative(root, fileURLToPath(url)).replaceAll('\\', '/')
  return path.startsWith('src/') && !path.endsWith('.test.ts') ? path + place : null
}

/** Other statements, such as `begin`, are not planned. */
const reads = /^\s*(?:with|select|insert|update|delete|\()/i

const templates = new Map<object, string | null>()
const statements = new Map<string, Map<string, RecordedStatement>>()

const firstEqual = (values: unknown[]): number[] => {
  const firsts = new Map<unknown, number>()
  for (const [index, value] of values.entries()) if (!firsts.has(value)) firsts.set(value, index)
  return values.map((value, index) => (value === null ? index : firsts.get(value)!))
}

/** Divides the groups of equal parameters by these values, of which parameters that stay in a group have the same. */
export function divideGroups(equals: number[], values: unknown[]): number[] {
  const groups = new Map<number, Map<unknown, number>>()
  return equals.map((group, index) => {
    const firsts = groups.get(group) ?? new Map<unknown, number>()
    groups.set(group, firsts)
    if (!firsts.has(values[index])) firsts.set(values[index], index)
    return firsts.get(values[index])!
  })
}

/** Parameters that differ once are not the same. */
function narrow(statement: RecordedStatement, values: unknown[]): void {
  const isSame = statement.equals.every((first, index) => values[first] === values[index])
  if (!isSame) statement.equals = divideGroups(statement.equals, values)
}

const describe = ({ string, statement, parameters }: Query, origin: string): RecordedStatement => ({
  text: string,
  types: [...statement.types],
  origin,
  equals: firstEqual(parameters),
})

function recordQuery(query: Query): void {
  const origin = query.tagged ? templates.get(query.strings) : locate(query.calledAt?.stack)
  if (!origin || !reads.test(query.string)) return
  const ofTemplate = statements.get(origin) ?? new Map<string, RecordedStatement>()
  statements.set(origin, ofTemplate)
  const known = ofTemplate.get(query.string)
  if (known) narrow(known, query.parameters)
  else ofTemplate.set(query.string, describe(query, origin))
}

/** What this process has run until now. */
export const readRecording = (): Recording => ({
  statements: [...statements.values()].flatMap(ofTemplate => [...ofTemplate.values()]),
  templates: [...new Set(templates.values())].filter(origin => origin !== null),
})

const hooks = {
  recordTemplate(strings: object, error: Error): void {
    templates.set(strings, locate(error.stack))
  },
  recordCall(query: Query): void {
    query.calledAt = new Error()
  },
  recordQuery,
}

const patches: Record<string, [from: string, to: string][]> = {
  query: [
    [
      'Error.stackTraceLimit = x\n',
      'Error.stackTraceLimit = x\n  globalThis.deskbellStatements.recordTemplate(xs, originCache.get(xs))\n',
    ],
    [
      'this.tagged && cachedError(this.strings)\n  }',
      'this.tagged && cachedError(this.strings)\n    this.tagged || globalThis.deskbellStatements.recordCall(this)\n  }',
    ],
  ],
  connection: [
    [
      'options.debug(id, string, parameters, types)',
      'options.debug(id, string, parameters, types)\n    globalThis.deskbellStatements.recordQuery(q)',
    ],
  ],
}

function patch(source: string, [from, to]: [string, string]): string {
  if (source.split(from).length !== 2) throw new Error(`The postgres driver has changed: ${from}`)
  return source.replace(from, () => to)
}

/** Replaces the file in one step, because the process may be killed at any time. */
function writeRecording(path: string): void {
  const recording = readRecording()
  if (recording.statements.length === 0) return
  writeFileSync(`${path}.new`, JSON.stringify(recording))
  renameSync(`${path}.new`, path)
}

/** Milliseconds. A server that a test starts may be killed. */
const writeIntervalMs = 2_000

/** The folder of the run. */
const folder = process.env.DESKBELL_TEST_STATEMENTS

if (folder) {
  Object.assign(globalThis, { deskbellStatements: hooks })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const own = patches[/\/vendor\/postgres\/src\/(\w+)\.js$/.exec(url)?.[1] ?? '']
      return own ? { ...loaded, source: own.reduce(patch, String(loaded.source)) } : loaded
    },
  })
  const path = join(folder, `${process.pid}-${Date.now()}.json`)
  process.on('exit', () => writeRecording(path))
  if (!process.env.NODE_TEST_CONTEXT) setInterval(() => writeRecording(path), writeIntervalMs).unref()
}
