import { isRecord } from '../core/objects.ts'
import type { Log } from '../core/telemetry/log.ts'

/** Log levels for messages of better-auth. Most are for debugging; a wrong password is not an error. */
const levels = { debug: 'debug', info: 'debug', success: 'debug', warn: 'debug', error: 'warn' } as const

const shownFields = [
  'message',
  'code',
  'error',
  'error_description',
  'status',
  'expected',
  'received',
] as const

/** The cause of a failure, from what better-auth adds to its message: an error, or the response of a provider. */
function causeOf(added: unknown[]): string | undefined {
  const found = added.find(isRecord)
  if (!found) return
  const deeper = found.cause instanceof Error ? causeOf([found.cause]) : undefined
  const words = shownFields.flatMap(name =>
    ['string', 'number'].includes(typeof found[name]) ? [String(found[name])] : [],
  )
  return [...words, ...(deeper ? [deeper] : [])].join(', ').slice(0, 500)
}

export const createAuthLog = (log: Log) => ({
  log: (level: keyof typeof levels, message: string, ...added: unknown[]) =>
    log[levels[level]]({ from: 'sign-in', cause: causeOf(added) }, message),
})
