import { posix } from 'node:path'
import type { ImportedPage } from './page.ts'
import { parseArticle } from './render.ts'

/** The slug of each article, by its file. */
export type Slugs = Map<string, string>

/** A link to a file that was not imported. */
interface LostLink {
  line: number
  target: string
}

const link = /(?<=\]\()([^()\s#]+\.(?:md|markdown))(?=(?:#[^()\s]*)?[)\s])/gi

/** Replaces links between files with links between articles, which are siblings in the help centre. */
export function linkArticles({ file, markdown }: ImportedPage, slugs: Slugs): string {
  return markdown.replaceAll(link, target => {
    const slug = slugs.get(fileAt(file, decodePath(target)))
    return slug === undefined ? target : encodeURIComponent(slug)
  })
}

const fileAt = (from: string, path: string): string => posix.join(posix.dirname(from), path)

function decodePath(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Matches the path of a relative address with a file extension. Slugs contain no full stop. */
const filePath = /^(?![a-z][a-z\d+.-]*:|\/)[^?#]*\.\w+(?=[?#]|$)/i

/** Removes control characters, which a terminal would execute. */
const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}/gu, '')

export function listBrokenLinks({ file, line, markdown }: ImportedPage, slugs: Slugs): LostLink[] {
  return listLinks(markdown).flatMap(({ address, above }) => {
    const target = decodePath(filePath.exec(address)?.[0] ?? '')
    return target === '' || slugs.has(fileAt(file, target))
      ? []
      : [{ line: line + above, target: withoutControls(target) }]
  })
}

/** Every link, with the number of lines above it. */
function listLinks(markdown: string): { address: string; above: number }[] {
  const found: { address: string; above: number }[] = []
  let above = 0
  for (const { map, children } of parseArticle(markdown)) {
    above = map?.[0] ?? above
    let breaks = 0
    for (const part of children ?? []) {
      if (part.type.endsWith('break')) breaks++
      if (part.type === 'link_open')
        found.push({ address: String(part.attrGet('href')), above: above + breaks })
    }
  }
  return found
}
