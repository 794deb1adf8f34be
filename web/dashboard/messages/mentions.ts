interface Named {
  id: string
  name: string
}

/**
 * Whom a note tells: everybody whose name stands behind an `@`, whether it was chosen or typed. Of two of the same name the
 * chosen one; a name that is the beginning of another that stands there is none.
 */
export function mentionedIn(content: string, chosen: Named[], people: Named[]): string[] {
  const others = people.filter(({ name }) => !chosen.some(one => one.name === name))
  const longestFirst = [...chosen, ...others].toSorted((one, other) => other.name.length - one.name.length)
  const told = new Set<string>()
  let rest = content
  for (const name of new Set(longestFirst.map(one => one.name))) {
    if (!rest.includes(`@${name}`)) continue
    for (const one of longestFirst) if (one.name === name) told.add(one.id)
    rest = rest.replaceAll(`@${name}`, ' ')
  }
  return [...told]
}
