import { findMention } from './mentions.ts'

/** Highlights `@name` of these names, which must be sorted with the longest first. */
export function markMentions(body: HTMLElement, names: string[]): void {
  for (const name of names) for (const text of textsOf(body)) markName(text, name)
}

function textsOf(body: HTMLElement): Text[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts.filter(({ parentElement }) => !parentElement?.closest('mark'))
}

function markName(text: Text, name: string): void {
  const at = findMention(text.data, name)
  if (at < 0) return
  const found = text.splitText(at)
  const rest = found.splitText(name.length + 1)
  const mark = text.ownerDocument.createElement('mark')
  found.replaceWith(mark)
  mark.append(found)
  markName(rest, name)
}
