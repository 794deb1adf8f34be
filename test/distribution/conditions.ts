/** What the conditions of a plan say about a column: which parameters it equals. */

/** Splits at a word, such as ` AND `, outside of parentheses and quotes. A closing parenthesis too many is outside. */
export function splitOutside(text: string, word: string | RegExp): string[] {
  const wordAt = (at: number): string | null => {
    if (typeof word === 'string') return text.startsWith(word, at) ? word : null
    const found = new RegExp(word.source, `${word.flags}y`)
    found.lastIndex = at
    return found.exec(text)?.[0] ?? null
  }
  const parts: string[] = []
  let [depth, from] = [0, 0]
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    const found = quote || depth ? null : wordAt(at)
    if (found !== null) {
      parts.push(text.slice(from, at))
      from = at + found.length
    } else if (quote) {
      if (sign === quote) quote = ''
    } else if (sign === "'" || sign === '"') quote = sign
    else if (sign === '(') depth++
    else if (sign === ')') depth--
  }
  return [...parts, text.slice(from)]
}

/** `a = 1` for `((a = 1))`. */
function peel(text: string): string {
  const inside = text.slice(1, -1)
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  let depth = 0
  for (const sign of inside) {
    if (sign === '(') depth++
    if (sign === ')' && --depth < 0) return text
  }
  return peel(inside)
}

/** `3` for `$3`, `($3)::uuid` and `'$3'::uuid`; null for anything else. */
export function readParameter(text: string): number | null {
  const [, number] = /^\(?\$(\d+)\)?(?:::uuid)?$/.exec(peel(text.trim())) ?? []
  return number ? Number(number) : null
}

function readEquality(text: string, column: string): number[] {
  const sides = splitOutside(text, ' = ')
  if (sides.length !== 2) return []
  const isColumn = (side: string): boolean => new RegExp(`^(?:\\w+\\.)?${column}$`).test(peel(side.trim()))
  const other = isColumn(sides[0]!) ? sides[1]! : isColumn(sides[1]!) ? sides[0]! : null
  const parameter = other === null ? null : readParameter(other)
  return parameter === null ? [] : [parameter]
}

/** The parameters that the column equals wherever the condition holds. */
export function parametersEqual(condition: string, column: string): number[] {
  const plain = peel(condition.trim())
  const choices = splitOutside(plain, ' OR ')
  if (choices.length > 1) {
    const [first, ...others] = choices.map(choice => parametersEqual(choice, column))
    return first!.filter(parameter => others.every(list => list.includes(parameter)))
  }
  const parts = splitOutside(plain, ' AND ')
  return parts.length > 1 ? parts.flatMap(part => parametersEqual(part, column)) : readEquality(plain, column)
}
