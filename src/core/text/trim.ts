/** Does not use a regular expression: one such as /-+$/ takes quadratic time on a long run. */
export function trimEnd(text: string, sign: RegExp): string {
  let end = text.length
  while (end > 0 && sign.test(text[end - 1]!)) end--
  return text.slice(0, end)
}
