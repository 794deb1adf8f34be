import { isDeepStrictEqual } from 'node:util'
import { refuse } from './errors.ts'
import { keysOf, propertyOf } from './objects.ts'

type Fields = Record<string, unknown>

// A page of a list contains up to a hundred complete records.
const maxKeys = 100
const maxCharacters = 32_768

/** Applies a request to custom fields: sent keys are replaced, null deletes a key, other keys stay. */
export function mergeFields(old: Fields, sent: Fields): Fields {
  const merged = Object.fromEntries(Object.entries({ ...old, ...sent }).filter(([, value]) => value !== null))
  if (Object.keys(merged).length > maxKeys || JSON.stringify(merged).length > maxCharacters) {
    throw refuse('custom_fields', 'too_large', { max_keys: maxKeys, max_characters: maxCharacters })
  }
  return merged
}

/** The fields whose value changes. A change without an effect must not increase the version. */
export function changesOf<T extends object>(fields: T, old: object): Partial<T> {
  const changes: Partial<T> = {}
  for (const name of keysOf(fields))
    if (!isDeepStrictEqual(fields[name], propertyOf(old, name))) changes[name] = fields[name]
  return changes
}

/** Those of the keys that were sent: a PATCH changes nothing else. */
export function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const sent: Partial<Pick<T, K>> = {}
  for (const key of keys) if (from[key] !== undefined) sent[key] = from[key]
  return sent
}

/** These fields of a record that has them all. */
export const only = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map(key => [key, from[key]])) as Pick<T, K>
