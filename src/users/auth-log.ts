import type { Log } from '../core/log.ts'

/** The library's own messages are for debugging; a wrong password is not an error. */
const levels = { debug: 'debug', info: 'debug', success: 'debug', warn: 'debug', error: 'warn' } as const

const told = ['message', 'code', 'error', 'error_description', 'status', 'expected', 'received'] as const

/** Why something failed, of whatever the library adds to its sentence: an error, or what a provider answered. */
function causeOf(added: unknown[]): string | undefined {
  const found = added.find(one => typeof one === 'object' && one !== null) as
    | Record<string, unknown>
    | undefined
  if (!found) return
  const deeper = found.cause instanceof Error ? causeOf([found.cause]) : undefined
  const words = told.flatMap(name =>
    ['string', 'number'].includes(typeof found[name]) ? [String(found[name])] : [],
  )
  return [...words, ...(deeper ? [deeper] : [])].join(', ').slice(0, 500)
}

export const createAuthLog = (log: Log) => ({
  log: (level: keyof typeof levels, message: string, ...added: unknown[]) =>
    log[levels[level]]({ from: 'sign-in', cause: causeOf(added) }, message),
})
