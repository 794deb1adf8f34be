/** Without a regular expression: one such as /-+$/ starts over at every character of a long run. */
export function trimEnd(text: string, sign: RegExp): string {
  let end = text.length
  while (end > 0 && sign.test(text[end - 1]!)) end--
  return text.slice(0, end)
}
