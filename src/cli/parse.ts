import { parseArgs } from 'node:util'
import type { Command } from './commands.ts'

/** The command line is wrong: one line, exit status 2. */
export class UsageError extends Error {}

export type Values = Record<string, string>

/** The values of a command's options and positions, by name; `words` begins with the command's own. */
export function readArguments(command: Command, words: string[]): Values {
  const args = words.slice(command.name.split(' ').length)
  const { values, positionals } = parse(command, args)
  const places = command.places ?? []
  if (positionals.length > places.length) throw wrong(command, `takes no "${positionals[places.length]}"`)
  const given: Values = { ...values }
  for (const [index, place] of places.entries()) given[place] = positionals[index] ?? ''
  const missing = [...(command.required ?? []), ...places].find(name => !given[name])
  if (missing) throw wrong(command, `needs ${places.includes(missing) ? missing : `--${missing}`}`)
  return given
}

function parse(command: Command, args: string[]): { values: Values; positionals: string[] } {
  const names = [...(command.required ?? []), ...(command.optional ?? [])]
  const options = Object.fromEntries(names.map(name => [name, { type: 'string' as const }]))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values: { ...values } as Values, positionals }
  } catch (error) {
    const option = /'(-[^' =]*)/.exec((error as Error).message)?.[1]
    const isKnown = names.includes(option?.replace(/^-+/, '') ?? '')
    throw wrong(command, isKnown ? `needs a value after ${option}` : `does not know the option ${option}`)
  }
}

const wrong = ({ name }: Command, what: string): UsageError =>
  new UsageError(`deskbell ${name} ${what}; see deskbell ${name} --help`)
