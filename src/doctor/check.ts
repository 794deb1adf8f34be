import { within } from '../core/in-time.ts'
import { SetupError } from '../core/setup-error.ts'

export interface Check {
  name: string
  ok: boolean
  /** What was found; when it is wrong, also how to mend it. */
  message: string
}

/** Milliseconds for one check: an examination ends although something hangs. */
const maxCheck = 20_000

/** Resolves to what was found, or throws a SetupError that says what is wrong and how to mend it. */
export type CheckFunction = () => Promise<string> | string

function refuseLate(): never {
  throw new SetupError(`did not end within ${maxCheck / 1_000} s; what it asks hangs or is overloaded`)
}

export async function check(name: string, look: CheckFunction): Promise<Check> {
  try {
    return { name, ok: true, message: await within(maxCheck, look(), refuseLate) }
  } catch (error) {
    const { message, stack } = error as Error
    return { name, ok: false, message: error instanceof SetupError ? message : (stack ?? message) }
  }
}

/** The first line of what a library says of its failure. */
export function reasonOf(error: unknown): string {
  const { message, code, cause, name } = error as Error & { code?: string }
  if (cause instanceof Error) return reasonOf(cause)
  const [line] = message.split('\n')
  return [code ?? (name === 'Error' ? null : name), line].filter(Boolean).join(': ')
}

export const listSome = (words: string[], max = 3): string =>
  words.length > max ? `${words.slice(0, max).join(', ')} and ${words.length - max} more` : words.join(', ')
