import { settingReference } from '../core/config/config.ts'
import { code, generated, page, table } from './markdown.ts'

const intro = `Deskbell reads its settings from environment variables, once, at the start. If a value is invalid, Deskbell does not start and prints
one sentence that names the setting. An empty value counts as not set.

To read any setting from a file, use its name with \`_FILE\`, such as \`DATABASE_URL_FILE=/run/secrets/database\`. Setting both \`NAME\` and
\`NAME_FILE\` is an error. The command line \`bin/deskbell\` reads the same settings, and \`bin/deskbell doctor\` checks them.`

const units = `A duration is a whole number with a unit: \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`. Networks are written as CIDR
(\`10.0.0.0/8\`); a single address is a network of one. Separate the items of a list with commas.`

export function printConfig(): string {
  const summary = settingReference.map(({ name, default: fallback }) => [
    `[${code(name)}](#${name.toLowerCase()})`,
    fallback === '' ? 'not set' : code(fallback),
  ])
  const details = settingReference.map(({ name, default: fallback, about, example }) => {
    const lines = [
      `Default: ${fallback === '' ? 'not set' : code(fallback)}. Example: ${/ /.test(example) ? example : code(example)}.`,
    ]
    return page(`## ${name}`, about, ...lines).trimEnd()
  })
  return page('# Settings', generated, intro, units, table(['setting', 'default'], summary), ...details)
}
