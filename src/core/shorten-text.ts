/** Divides a text that is too long at a paragraph, else at a line, else at a word, and never inside a character. */
export function shortenText(text: string, maxLength: number): { kept: string; rest: string } {
  if (text.length <= maxLength) return { kept: text, rest: '' }
  const start = text.slice(0, maxLength)
  const least = maxLength / 2
  const at = ['\n\n', '\n', ' '].map(mark => start.lastIndexOf(mark)).find(index => index > least)
  const end = at ?? (/[\ud800-\udbff]$/.test(start) ? maxLength - 1 : maxLength)
  return { kept: text.slice(0, end), rest: text.slice(end).trimStart() }
}
