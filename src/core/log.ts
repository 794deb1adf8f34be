import { type Logger, pino } from 'pino'

export type Log = Logger

const secrets = ['req.headers.authorization', 'req.headers.cookie']

/** JSON lines on stderr: what a command prints on stdout stays its own. */
export const createLog = (level: string): Log =>
  pino({ level, base: null, redact: secrets }, pino.destination({ dest: 2, sync: false }))
