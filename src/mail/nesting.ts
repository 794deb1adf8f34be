import { createRequire } from 'node:module'
import type { Parser as HtmlParser } from 'htmlparser2'

const require = createRequire(import.meta.url)
/** The sanitiser's version of the parser, because other versions close elements in different places. */
const { Parser }: { Parser: typeof HtmlParser } = createRequire(require.resolve('sanitize-html'))(
  'htmlparser2',
)

/** Chunks are small, so that the parser stops soon after the limit. */
const chunkLength = 4_096

/**
 * Whether elements are nested deeper than `limit`, as the sanitiser sees them. Sanitising takes quadratic time for deep nesting: 100,000
 * levels took 15 s.
 */
export function isNestedDeeper(html: string, limit: number): boolean {
  let [depth, deepest] = [0, 0]
  const parser = new Parser({
    onopentagname() {
      deepest = Math.max(deepest, ++depth)
    },
    onclosetag() {
      depth--
    },
  })
  for (let at = 0; at < html.length && deepest <= limit; at += chunkLength)
    parser.write(html.slice(at, at + chunkLength))
  return deepest > limit
}
