/** The languages of an Accept-Language header, most preferred first, without those refused by q=0. */
function readWishes(header: string): string[] {
  const wishes = header
    .slice(0, 1_000)
    .split(',')
    .map(part => {
      const [tag = '', ...rest] = part.split(';').map(one => one.trim())
      const weight = Number(rest.find(one => one.startsWith('q='))?.slice(2) ?? 1)
      return { tag: tag.toLowerCase(), weight }
    })
  return wishes
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** The tag and its more general forms: zh-hant-tw, zh-hant, zh. */
function widen(tag: string): string[] {
  const parts = tag.split('-')
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join('-'))
}

/** The offered locale closest to the wish, which is in lower case: the same, a more general one, or another region of its language. */
export const findLocale = (wish: string, offered: string[]): string | undefined =>
  widen(wish).flatMap(tag => offered.find(one => one.toLowerCase() === tag) ?? [])[0] ??
  offered.find(one => one.toLowerCase().split('-')[0] === wish.split('-')[0])

/** The offered locale that the visitor prefers most. */
export function chooseLocale(header: string | undefined, offered: string[], usual: string): string {
  for (const wish of readWishes(header ?? '')) {
    const found = findLocale(wish, offered)
    if (found) return found
  }
  return usual
}
