import manifest from '../../package.json' with { type: 'json' }
import { SetupError } from '../core/config/setup-error.ts'
import { errorOf } from '../core/thrown.ts'
import { UserError } from '../core/user-error.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { describeAll, describeOne, describeSome } from './help.ts'
import { output } from './output.ts'
import { readArguments, UsageError } from './parse.ts'

/** The command whose name is the longest beginning of these words, because one name may begin with another. */
export const findCommand = (words: string[], all: readonly Command[] = commands): Command | undefined =>
  all
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]

function unknown(words: string[]): UsageError {
  const near = commands.filter(({ name }) => name.split(' ')[0] === words[0]).map(({ name }) => name)
  const hint = near.length ? `did you mean ${near.join(', ')}?` : 'see deskbell help'
  return new UsageError(`Unknown command "${words.slice(0, 2).join(' ')}"; ${hint}`)
}

function explain(command: Command | undefined, words: string[]): string {
  if (command) return describeOne(command)
  const meant = commands.filter(({ name }) => `${name} `.startsWith(`${words.join(' ')} `))
  if (meant.length === 0) throw unknown(words)
  return describeSome(meant)
}

async function execute(given: string[]): Promise<number> {
  const isJson = given.includes('--json')
  const wantsHelp = given[0] === 'help' || given.some(word => word === '--help' || word === '-h')
  const words = given.filter(word => !['--json', '--help', '-h'].includes(word))
  if (words[0] === 'help') words.shift()
  if (words[0] === '--version') return say(manifest.version)
  if (words.length === 0) return say(describeAll(commands))
  const command = findCommand(words)
  if (wantsHelp) return say(explain(command, words))
  if (!command) throw unknown(words)
  const { result, status = 0 } = await command.run(readArguments(command, words))
  say(isJson ? JSON.stringify(result) : command.print(result as never))
  return status
}

function say(text: string): number {
  output.write(`${text}\n`)
  return 0
}

/** Exit status 2 for incorrect usage, 1 for all other errors. */
function fail(error: unknown): number {
  const isMistake = error instanceof UserError
  const isKnown = isMistake || error instanceof SetupError
  output.tell(isKnown ? error.message : String(errorOf(error).stack))
  return isMistake ? 2 : 1
}

/** Runs `bin/deskbell` with these arguments. Returns the exit status. */
export const run = (words: string[]): Promise<number> => execute(words).catch(fail)
