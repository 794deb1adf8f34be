import { isDeepStrictEqual } from 'node:util'
import { refuse } from './errors.ts'

type Fields = Record<string, unknown>

// A page shows a hundred records whole.
const maxKeys = 100
const maxCharacters = 32_768

/** Custom fields as a request changes them: sent keys replace, null deletes, the others stay. */
export function mergeFields(old: Fields, sent: Fields): Fields {
  const merged = Object.fromEntries(Object.entries({ ...old, ...sent }).filter(([, value]) => value !== null))
  if (Object.keys(merged).length > maxKeys || JSON.stringify(merged).length > maxCharacters) {
    throw refuse('custom_fields', 'too_large', { max_keys: maxKeys, max_characters: maxCharacters })
  }
  return merged
}

/** Those that get another value than they have: a change that changes nothing raises no version. */
export const changesOf = <T extends object>(fields: T, old: object): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !isDeepStrictEqual(value, (old as Record<string, unknown>)[name]),
    ),
  ) as Partial<T>

/** The sent ones of some keys: a PATCH changes what stands in it and nothing else. */
export const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> =>
  Object.fromEntries(keys.filter(key => from[key] !== undefined).map(key => [key, from[key]])) as Partial<
    Pick<T, K>
  >
