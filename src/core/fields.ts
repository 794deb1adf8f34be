/** Custom fields as a request changes them: sent keys replace, null deletes, the others stay. */
export const mergeFields = (
  old: Record<string, unknown>,
  sent: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...old, ...sent }).filter(([, value]) => value !== null))

/** The sent ones of some keys: a PATCH changes what stands in it and nothing else. */
export const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> =>
  Object.fromEntries(keys.filter(key => from[key] !== undefined).map(key => [key, from[key]])) as Partial<
    Pick<T, K>
  >
