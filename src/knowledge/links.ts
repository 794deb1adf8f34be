import { posix } from 'node:path'
import type { ImportedPage } from './page.ts'
import { parseArticle } from './render.ts'

/** The slug of each article by the file that it came from. */
export type Slugs = Map<string, string>

/** A link to a file that no article came from. */
interface LostLink {
  line: number
  target: string
}

const link = /(?<=\]\()([^()\s#]+\.(?:md|markdown))(?=(?:#[^()\s]*)?[)\s])/gi

/** Links between the files become links between the articles, which lie side by side in the help centre. */
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

/** The path of an address that is relative and ends like a file: slugs have no full stop. */
const filePath = /^(?![a-z][a-z\d+.-]*:|\/)[^?#]*\.\w+(?=[?#]|$)/i

/** Whoever reads the warning in a terminal would obey them. */
const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}/gu, '')

export function listBrokenLinks({ file, line, markdown }: ImportedPage, slugs: Slugs): LostLink[] {
  return listLinks(markdown).flatMap(({ address, above }) => {
    const target = decodePath(filePath.exec(address)?.[0] ?? '')
    return target === '' || slugs.has(fileAt(file, target))
      ? []
      : [{ line: line + above, target: withoutControls(target) }]
  })
}

/** Every link with how many lines stand above it. */
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
