/** Puts words that stand in a text into marks; of two that begin alike the longer one. */
export function markWords(body: HTMLElement, words: string[]): void {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  for (const word of longestFirst) for (const text of textsOf(body)) markWord(text, word)
}

function textsOf(body: HTMLElement): Text[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts.filter(({ parentElement }) => !parentElement?.closest('mark'))
}

function markWord(text: Text, word: string): void {
  const at = text.data.indexOf(word)
  if (at < 0) return
  const found = text.splitText(at)
  const rest = found.splitText(word.length)
  const mark = text.ownerDocument.createElement('mark')
  found.replaceWith(mark)
  mark.append(found)
  markWord(rest, word)
}
