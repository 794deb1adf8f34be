/** Splits a text at its maximum length: preferably between paragraphs, then lines, then words, and never inside a surrogate pair. */
export function shortenText(text: string, maxLength: number): { kept: string; rest: string } {
  if (text.length <= maxLength) return { kept: text, rest: '' }
  const start = text.slice(0, maxLength)
  const minLength = maxLength / 2
  const at = ['\n\n', '\n', ' '].map(mark => start.lastIndexOf(mark)).find(index => index > minLength)
  const end = at ?? (/[\ud800-\udbff]$/.test(start) ? maxLength - 1 : maxLength)
  return { kept: text.slice(0, end), rest: text.slice(end).trimStart() }
}
