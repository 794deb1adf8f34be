interface Named {
  id: string
  name: string
}

const isOfWord = (sign = ' '): boolean => /[\p{L}\p{N}]/u.test(sign)

/** Where `@name` stands by itself; -1 where it does not. */
export function findMention(content: string, name: string): number {
  const word = `@${name}`
  for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + 1))
    if (!isOfWord(content[at - 1]) && !isOfWord(content[at + word.length])) return at
  return -1
}

/** What people are called, the longest first: by their names, and by the first word where it is of one alone. */
export function listCallNames(people: Named[]): [name: string, ids: string[]][] {
  const full = Map.groupBy(people, ({ name }) => name)
  const first = Map.groupBy(people, ({ name }) => name.split(/\s/, 1)[0]!)
  const short = [...first].filter(([name, all]) => all.length === 1 && !full.has(name))
  return [...full, ...short]
    .map(([name, all]): [string, string[]] => [name, all.map(({ id }) => id)])
    .sort(([one], [other]) => other.length - one.length)
}

/**
 * Whom a note tells: everybody whose name stands behind an `@`, whether it was chosen or typed. Of two of the same name the
 * chosen one; a name that is the beginning of another that stands there is none.
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
