import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'
import { printLine } from '../terminal.ts'

export type Log = Logger

const secrets = ['req.headers.authorization', 'req.headers.cookie']

const requests = new AsyncLocalStorage<string>()

/** Every line that is logged during `work`, by any code, contains the id of the request. */
export const logAs = (requestId: string, work: () => void): void => requests.run(requestId, work)

/** Detaches `work` from the current request. */
export const logApart = (work: () => void): void => requests.exit(work)

function nameRequest(): object {
  const request_id = requests.getStore()
  return request_id ? { request_id } : {}
}

const options = { base: null, redact: secrets, mixin: nameRequest, timestamp: pino.stdTimeFunctions.isoTime }

const terminal = { write: (line: string) => void process.stderr.write(`${printLine(line)}\n`) }

/** Logs to stderr, because stdout belongs to the output of commands. JSON for programs, readable text on a terminal. */
export const createLog = (level: string): Log =>
  pino({ level, ...options }, process.stderr.isTTY ? terminal : pino.destination({ dest: 2, sync: false }))
