/**
 * A database that spreads tables over machines evaluates a clock once for a whole statement, so it refuses one where the machines
 * would evaluate it for each row.
 */

const clocks =
  /^(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|current_timestamp|current_date|localtimestamp)$/

type Place = 'case' | 'coalesce' | 'returning' | 'on conflict'

const tokens = /'(?:[^']|'')*'|"[^"]*"|on\s+conflict\b|[a-z_]\w*|[()]/gi

/** The places with a clock, such as `returning`, of which the text inside these parentheses is part. */
export function listClocks(text: string): Place[] {
  const found: Place[] = []
  // What surrounds the current word, one list for each level of parentheses.
  const levels: Place[][] = [[]]
  let before = ''
  for (const [token] of text.matchAll(tokens)) {
    const word = token.toLowerCase().replace(/\s+/, ' ')
    const level = levels.at(-1)!
    if (word === '(') levels.push(before === 'coalesce' ? ['coalesce'] : [])
    else if (word === ')') levels.pop()
    else if (word === 'case') level.push('case')
    else if (word === 'end') level.splice(level.lastIndexOf('case'), 1)
    else if (word === 'on conflict' || word === 'returning') level.push(word)
    else if (clocks.test(word)) found.push(...levels.flat())
    before = word
  }
  return [...new Set(found)]
}
