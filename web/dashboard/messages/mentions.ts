interface Named {
  id: string
  name: string
}

const isOfWord = (sign = ' '): boolean => /[\p{L}\p{N}]/u.test(sign)

/** The position of `@name` as a whole word, or -1. */
export function findMention(content: string, name: string): number {
  const word = `@${name}`
  for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + 1))
    if (!isOfWord(content[at - 1]) && !isOfWord(content[at + word.length])) return at
  return -1
}

/** Where these names are mentioned. They must be sorted with the longest first. */
export function findMentions(text: string, names: string[]): [from: number, to: number][] {
  if (!text.includes('@')) return []
  const found: [number, number][] = []
  let rest = text
  for (const name of names)
    for (let at = findMention(rest, name); at >= 0; at = findMention(rest, name)) {
      const to = at + name.length + 1
      found.push([at, to])
      rest = rest.slice(0, at) + ' '.repeat(to - at) + rest.slice(to)
    }
  return found
}

/**
 * The names by which people can be mentioned, the longest first: full names, and first names that only one
 * person has.
 */
export function listCallNames(people: Named[]): [name: string, ids: string[]][] {
  const full = Map.groupBy(people, ({ name }) => name)
  const first = Map.groupBy(people, ({ name }) => name.split(/\s/, 1)[0]!)
  const short = [...first].filter(([name, all]) => all.length === 1 && !full.has(name))
  return [...full, ...short]
    .map(([name, all]): [string, string[]] => [name, all.map(({ id }) => id)])
    .sort(([one], [other]) => other.length - one.length)
}

/**
 * The people whom a note mentions: everybody whose name follows an `@`, whether chosen or typed. Of two
 * people with the same name, the chosen one counts. A name that is only the start of a longer mentioned name
 * does not.
 */
export function mentionedIn(content: string, chosen: Named[], people: Named[]): string[] {
  const known = new Map(chosen.map(one => [one.id, one]))
  const others = people.filter(({ id, name }) => !known.has(id) && !chosen.some(one => one.name === name))
  const told = new Set<string>()
  let rest = content
  for (const [name, ids] of listCallNames([...known.values(), ...others]))
    for (let at = findMention(rest, name); at >= 0; at = findMention(rest, name)) {
      for (const id of ids) told.add(id)
      rest = `${rest.slice(0, at)} ${rest.slice(at + name.length + 1)}`
    }
  return [...told]
}
