/** A key that is equal for all spellings of a tag. */
export const foldTag = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** Each tag once, in its first spelling. */
export function listTags(sent: string[]): string[] {
  const first = new Map<string, string>()
  for (const name of sent) if (!first.has(foldTag(name))) first.set(foldTag(name), name.trim())
  return [...first.values()]
}
