import manifest from '../../package.json' with { type: 'json' }
import { roles } from '../core/roles.ts'
import type { Command } from './command.ts'

const lineWidth = 100

/** The values of options, if the option's name does not show them. */
const values: Record<string, string> = {
  'secret-access-key-file': 'FILE|-',
  project: 'ID',
  role: roles.join('|'),
  public: 'yes|no',
  color: '#RRGGBB|none',
  logo: 'URL|none',
  'path-style': 'on|off',
  period: 'month|year',
  tickets: 'NUMBER|unlimited',
  seats: 'NUMBER|unlimited',
  rank: 'NUMBER',
  knowledge: 'yes|no',
  'for-sale': 'yes|no',
  entry: 'yes|no',
  'trial-days': 'DAYS|none',
  becomes: 'CODE',
  gateway: 'offline|stripe',
  out: 'FILE',
  skipped: 'FILE',
  source: 'NAME',
  own: 'ADDRESSES',
  without: 'FOLDERS',
  since: 'DATE|DAYSd',
  mailbox: 'ID',
}

const showOption = (name: string, choices: Command['choices']): string =>
  `--${name} ${choices?.[name]?.join('|') ?? values[name] ?? name.toUpperCase()}`

function listWords({
  name,
  arguments: args = [],
  optionalArguments = [],
  isRepeated = false,
  required = [],
  optional = [],
  choices,
  flags = [],
}: Command) {
  return [
    name,
    ...args,
    ...optionalArguments.map(name => `[${name}]`),
    ...(isRepeated ? ['…'] : []),
    ...required.map(option => showOption(option, choices)),
    ...optional.map(option => `[${showOption(option, choices)}]`),
    ...flags.map(flag => `[--${flag}]`),
  ]
}

/** Wraps words into lines. All lines after the first have a hanging indent. */
function wrap(words: string[], indent: string, hanging: string): string {
  const lines = [indent + words[0]]
  for (const word of words.slice(1)) {
    const line = `${lines.at(-1)} ${word}`
    if (line.length <= lineWidth) lines[lines.length - 1] = line
    else lines.push(hanging + word)
  }
  return lines.join('\n')
}

const describe = (command: Command): string =>
  `${wrap(listWords(command), '  ', '    ')}\n${wrap(command.about.split(' '), '      ', '      ')}`

export const describeSome = (commands: Command[]): string => commands.map(describe).join('\n')

export const describeAll = (
  commands: Command[],
): string => `Deskbell ${manifest.version}: the command line. It works with or without a running server.

${describeSome(commands)}

Every command accepts --json (prints one JSON object to standard output) and --help. "deskbell help
plan" lists the commands that start with plan. --version prints only the version.
Usage errors and unknown ids print one line to standard error and exit with status 2, also with
--json. All other errors exit with status 1.
Commands use the same settings as the server, from the environment (DATA_DIR, PORT…). See
docs/config.md.`

function describeOptions({ notes = {} }: Command): string {
  const entries = Object.entries(notes)
  const width = Math.max(...entries.map(([option]) => option.length)) + 4
  const lines = entries.map(([option, note]) =>
    wrap([`--${option}`.padEnd(width), ...note.split(' ')], '  ', ' '.repeat(width + 3)),
  )
  return lines.length ? `\n\n${lines.join('\n')}` : ''
}

export const describeOne = (command: Command): string =>
  `${wrap([...listWords({ ...command, name: `deskbell ${command.name}` }), '[--json]'], '', '  ')}

${wrap(`${command.about}.`.split(' '), '', '')}${describeOptions(command)}`
