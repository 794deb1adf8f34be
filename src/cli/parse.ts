import { parseArgs } from 'node:util'
import { foldEmail, isEmail } from '../core/email.ts'
import { errorOf } from '../core/thrown.ts'
import { UserError } from '../core/user-error.ts'
import type { Command } from './command.ts'

/** Incorrect usage: prints one line and exits with status 2. */
export class UsageError extends UserError {}

export type Values = Record<string, string>

/** The values of a command's options and arguments, by name. `words` begins with the command's name. */
export function readArguments(command: Command, words: string[]): Values {
  const args = words.slice(command.name.split(' ').length)
  const { values, positionals } = parse(command, args)
  const expected = command.arguments ?? []
  const names = [...expected, ...(command.optionalArguments ?? [])]
  const given: Values = { ...values }
  if (command.isRepeated) positionals.push(positionals.splice(names.length - 1).join('\n'))
  if (positionals.length > names.length) throw wrong(command, `takes no "${positionals[names.length]}"`)
  for (const [index, name] of names.entries()) given[name] = positionals[index] ?? ''
  const missing = [...(command.required ?? []), ...expected].find(name => !given[name])
  if (missing) throw wrong(command, `needs ${expected.includes(missing) ? missing : `--${missing}`}`)
  if (given.name !== undefined) checkName(given.name)
  return given
}

/** Names are used in mail headers and tables, so they must be one line. */
function checkName(name: string): void {
  if (!name.trim()) throw new UsageError('--name must not be empty')
  if (name.length > 255 || /\p{Cc}/u.test(name))
    throw new UsageError(
      '--name must have at most 255 characters, and no line breaks or other control characters',
    )
}

function parse(command: Command, args: string[]): { values: Values; positionals: string[] } {
  const names = [...(command.required ?? []), ...(command.optional ?? [])]
  const options = Object.fromEntries([
    ...names.map(name => [name, { type: 'string' as const }]),
    ...(command.flags ?? []).map(name => [name, { type: 'boolean' as const }]),
  ])
  try {
    const { values, positionals } = parseArgs({ args: joinNegative(args), options, allowPositionals: true })
    const texts = Object.entries(values).map(([name, value]) => [name, value === true ? 'yes' : value])
    return { values: Object.fromEntries(texts), positionals }
  } catch (error) {
    const option = /'(-[^' =]*)/.exec(errorOf(error).message)?.[1]
    const isKnown = names.includes(option?.replace(/^-+/, '') ?? '')
    throw wrong(command, isKnown ? `needs a value after ${option}` : `does not know the option ${option}`)
  }
}

/** Changes `--amount -5` to `--amount=-5`. */
function joinNegative(args: string[]): string[] {
  const joined: string[] = []
  for (const word of args) {
    const isValue = /^-\d/.test(word) && /^--[^=]+$/.test(joined.at(-1) ?? '')
    joined.push(isValue ? `${joined.pop()}=${word}` : word)
  }
  return joined
}

const wrong = ({ name }: Command, what: string): UsageError =>
  new UsageError(`deskbell ${name} ${what}; see deskbell ${name} --help`)

/** Parses one of two words. True for the first. */
export function readSwitch(what: string, word: string, [on, off]: [string, string]): boolean {
  if (word === on || word === off) return word === on
  throw new UsageError(`${what} must be ${on} or ${off}, not "${word}"`)
}

export function readEmail(option: string, text: string): string {
  if (isEmail(text)) return foldEmail(text)
  throw new UsageError(`${option} must be an email address, not "${text}"`)
}
