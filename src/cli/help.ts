import type { Command } from './commands.ts'
import { drawTable } from './table.ts'

export function describeUsage({ name, places = [], required = [], optional = [] }: Command): string {
  const options = [...required.map(showOption), ...optional.map(option => `[${showOption(option)}]`)]
  return [name, ...places, ...options].join(' ')
}

const showOption = (name: string): string => `--${name} ${name === 'project' ? 'ID' : name.toUpperCase()}`

export const describeAll = (
  commands: Command[],
): string => `Deskbell's command line; it works beside a running server and alone.

${drawTable(commands.map(command => [`  ${describeUsage(command)}`, command.about]))}

Each takes --json (one JSON object on standard output) and --help.
Wrong words and unknown ids are told in one line on standard error, with status 2, also with --json; whatever else
goes wrong ends with status 1.
The settings are those of the server: see docs/config.md.`

export const describeOne = (command: Command): string => `deskbell ${describeUsage(command)} [--json]

${command.about}.`
