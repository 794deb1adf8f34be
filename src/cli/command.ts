import type { Values } from './parse.ts'
import { type CliSession, withDatabase } from './session.ts'

export interface Command {
  name: string
  about: string
  /** Positional arguments, such as an id, in order. */
  arguments?: string[]
  /** Optional positional arguments that follow these. */
  optionalArguments?: string[]
  /** Whether the last argument can be repeated. Its value then has one line for each repetition. */
  isRepeated?: boolean
  required?: string[]
  optional?: string[]
  /** The values of options that differ between commands. */
  choices?: Record<string, readonly string[]>
  /** What options mean, if their names do not say it. --help shows it. */
  notes?: Record<string, string>
  /** Options without a value. */
  flags?: string[]
  run(values: Values): Promise<{ result: object; status?: number }>
  print(result: never): string
}

/** A command that works on the server's database. */
export const command = <T extends object>(
  definition: Pick<
    Command,
    | 'name'
    | 'about'
    | 'arguments'
    | 'optionalArguments'
    | 'isRepeated'
    | 'required'
    | 'optional'
    | 'choices'
    | 'notes'
    | 'flags'
  >,
  work: (session: CliSession, values: Values) => Promise<T>,
  print: (result: T) => string,
): Command => ({
  ...definition,
  run: async values => ({ result: await withDatabase(session => work(session, values)) }),
  print,
})
