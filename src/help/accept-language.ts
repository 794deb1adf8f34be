/** The languages of an Accept-Language header, the dearest first; those refused with q=0 are left out. */
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

/** The tag itself and what it is a kind of: zh-hant-tw, zh-hant, zh. */
function widen(tag: string): string[] {
  const parts = tag.split('-')
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join('-'))
}

/** The offered locale next to a wish, in small letters: itself, a wider one, or the language of another region. */
export const findLocale = (wish: string, offered: string[]): string | undefined =>
  widen(wish).flatMap(tag => offered.find(one => one.toLowerCase() === tag) ?? [])[0] ??
  offered.find(one => one.toLowerCase().split('-')[0] === wish.split('-')[0])

/** The offered locale that a visitor would like most. */
export function chooseLocale(header: string | undefined, offered: string[], usual: string): string {
  for (const wish of readWishes(header ?? '')) {
    const found = findLocale(wish, offered)
    if (found) return found
  }
  return usual
}
