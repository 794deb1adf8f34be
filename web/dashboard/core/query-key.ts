declare const made: unique symbol

/**
 * A key of the query cache. Keys are only made in the `query-keys.ts` of a noun: the compiler rejects any other
 * array as a key, so that no two places can spell the same key differently.
 */
export type Key = readonly [name: string, ...rest: unknown[]] & { readonly [made]: true }

export const makeKey = (...parts: [name: string, ...rest: unknown[]]): Key => parts as unknown as Key
