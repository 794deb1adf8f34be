/** Void elements and elements with an optional end tag: many of them in a row are not nested. */
const notNested = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup tr td th thead tbody tfoot rt rp'.split(
    ' ',
  ),
)

const tag = /<(\/?)([a-z][\w:-]{0,50})/gi

/**
 * Whether elements are nested deeper than `limit`, in one linear pass. Sanitising takes quadratic time for deep nesting:
 * 100,000 levels took 15 s.
 */
export function isNestedDeeper(html: string, limit: number): boolean {
  const stack: string[] = []
  const open = new Map<string, number>()
  const count = (name: string, change: number) => open.set(name, (open.get(name) ?? 0) + change)
  for (const [, slash, written] of html.matchAll(tag)) {
    const name = written!.toLowerCase()
    if (notNested.has(name)) continue
    if (slash === '') {
      stack.push(name)
      count(name, 1)
      if (stack.length > limit) return true
    } else if (open.get(name)) {
      let closed: string
      do {
        closed = stack.pop()!
        count(closed, -1)
      } while (closed !== name)
    }
  }
  return false
}
