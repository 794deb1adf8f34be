/** For example `{{contact.first_name|there}}`: the text after `|` is used if the contact has no name. */
export const placeholder = /\{\{\s*([a-z_]+\.[a-z_]+)\s*(?:\|([^{}]*))?\}\}/g

export interface FilledText {
  content: string
  /** Placeholders that have no value and no text after `|`. */
  empty: string[]
  /** Unknown placeholders, which are left as they are. */
  unknown: string[]
}

/** Line breaks in values become spaces. */
const oneLine = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()

/** Fills in placeholders. `findValue` returns undefined for an unknown one. */
export function fillText(
  content: string,
  findValue: (name: string) => string | null | undefined,
): FilledText {
  const empty = new Set<string>()
  const unknown = new Set<string>()
  const filled = content.replaceAll(placeholder, (whole: string, name: string, otherwise?: string) => {
    const found = findValue(name)
    if (found === undefined) {
      unknown.add(name)
      return whole
    }
    const value = oneLine(found) || (otherwise?.trim() ?? '')
    if (value === '' && otherwise === undefined) empty.add(name)
    return value
  })
  return { content: filled, empty: [...empty], unknown: [...unknown] }
}
