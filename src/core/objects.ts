/** Typed access to objects whose type is wider than what is known about them, or unknown. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A property of anything; undefined if it has none of this name. */
export const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A property that is a text; undefined if it is something else. */
export function stringOf(value: unknown, name: string): string | undefined {
  const property = propertyOf(value, name)
  return typeof property === 'string' ? property : undefined
}

export const isOneOf = <T extends string>(value: unknown, words: readonly T[]): value is T =>
  words.some(word => word === value)

/** The names of a table that has exactly the keys of its type. TypeScript gives `string[]`, because an object may have more. */
export const keysOf = <T extends object>(table: T): (keyof T & string)[] =>
  Object.keys(table) as (keyof T & string)[]

/** A table with a value for each of these keys. */
export const tableOf = <K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map(key => [key, make(key)])) as Record<K, V>

/** What is not a record counts as an empty one. */
export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** What is not a list counts as an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
