import { type Environment, settingReference } from '../core/config/config.ts'

/** Finds environment variables that are meant for Deskbell but are not settings. */

const known = new Set(settingReference.flatMap(({ name }) => [name, `${name}_FILE`]))

/** On a machine that runs Deskbell, variables with these prefixes are meant for it. */
const prefixes = ['SMTP_', 'OIDC_', 'S3_', 'WEBHOOK_', 'METRICS_', 'RATE_LIMIT_', 'UPDATES_', 'WIDGET_']

/** The number of letters to add, remove, replace or swap to turn one word into the other. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return rows.at(-1)!.at(-1)!
}

function nearest(name: string): string | null {
  const allowed = name.length < 8 ? 1 : 2
  const [near] = [...known]
    // Skips words whose lengths differ too much, because this runs at every start.
    .filter(one => Math.abs(one.length - name.length) <= allowed)
    .map(one => ({ one, far: distance(name, one) }))
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
  return near?.one ?? null
}

/** Kubernetes sets such variables for a service whose name is the prefix. */
const isOfKubernetes = (environment: Environment, prefix: string): boolean =>
  environment[`${prefix}SERVICE_HOST`] !== undefined

function complain(environment: Environment, name: string): string | null {
  const bare = name.startsWith('DESKBELL_') ? name.slice('DESKBELL_'.length) : name
  if (bare !== name && known.has(bare))
    return isOfKubernetes(environment, 'DESKBELL_') ? null : `${name} is not a setting; name it ${bare}`
  const meant = nearest(name.toUpperCase())
  if (meant) return `${name} is not a setting; did you mean ${meant}?`
  const prefix = prefixes.find(one => name.startsWith(one) && !isOfKubernetes(environment, one))
  return prefix ? `${name} is not a setting; docs/config.md lists those that begin with ${prefix}` : null
}

/** One sentence for each name. */
export const findMisspelledSettings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter(name => environment[name] && !known.has(name))
    .map(name => complain(environment, name))
    .filter(sentence => sentence !== null)
