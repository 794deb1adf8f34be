const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [cleanText(key), cleanValue(one)]))
}

/** Removes U+0000, which Postgres rejects, and replaces lone surrogates in all strings of a value. */
export const cleanTexts = <Value>(value: Value): Value => cleanValue(value) as Value
