import { within } from '../core/async/in-time.ts'
import { SetupError } from '../core/config/setup-error.ts'
import { stringOf } from '../core/objects.ts'
import { errorOf } from '../core/thrown.ts'

export interface Check {
  name: string
  ok: boolean
  /** The finding. For a fault, also how to fix it. */
  message: string
}

/** The time limit of one check in milliseconds, so that an examination ends even if something hangs. */
const maxCheck = 20_000

/** Resolves to the finding, or throws a SetupError that says what is wrong and how to fix it. */
export type CheckFunction = () => Promise<string> | string

function refuseLate(): never {
  throw new SetupError(`did not end within ${maxCheck / 1_000} s; what it checks hangs or is overloaded`)
}

export async function check(name: string, look: CheckFunction): Promise<Check> {
  try {
    return { name, ok: true, message: await within(maxCheck, look(), refuseLate) }
  } catch (error) {
    const { message, stack } = errorOf(error)
    return { name, ok: false, message: error instanceof SetupError ? message : (stack ?? message) }
  }
}

/** The first line of a library's error message. */
export function reasonOf(error: unknown): string {
  const { message, cause, name } = errorOf(error)
  const code = stringOf(error, 'code')
  if (cause instanceof Error) return reasonOf(cause)
  const [line] = message.split('\n')
  return [code ?? (name === 'Error' ? null : name), line].filter(Boolean).join(': ')
}

export const listSome = (words: string[], max = 3): string =>
  words.length > max ? `${words.slice(0, max).join(', ')} and ${words.length - max} more` : words.join(', ')
