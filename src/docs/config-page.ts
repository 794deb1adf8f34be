import { settingReference } from '../core/config.ts'
import { code, generated, page, table } from './markdown.ts'

const intro = `Deskbell reads its settings from the environment, once, at the start. A value that cannot be used stops the start with
one sentence that names the setting. An empty value counts as not given.

\`NAME_FILE\` gives any of them from a file instead, such as \`DATABASE_URL_FILE=/run/secrets/database\`; giving both
\`NAME\` and \`NAME_FILE\` is refused. The command line \`bin/deskbell\` reads the same settings, and \`bin/deskbell doctor\`
checks them.`

const units = `A duration is a whole number with a unit: \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`. Networks are written as CIDR
(\`10.0.0.0/8\`); a single address counts as a network of one. Lists are separated by commas.`

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
