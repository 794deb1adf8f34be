/** What two spellings of one tag have in common. */
export const foldTag = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** Each tag once, as it was first written. */
export function listTags(sent: string[]): string[] {
  const first = new Map<string, string>()
  for (const name of sent) if (!first.has(foldTag(name))) first.set(foldTag(name), name.trim())
  return [...first.values()]
}
