import { readParameter, splitOutside } from './conditions.ts'

/** A part of a statement, and its position. */
interface Part {
  text: string
  at: number
}

const trim = ({ text, at }: Part): Part => ({ text: text.trim(), at: at + text.search(/\S|$/) })

/** The parts between commas. */
function splitList({ text, at }: Part): Part[] {
  let from = at
  return splitOutside(text, ',').map(one => {
    const part = { text: one, at: from }
    from += one.length + 1
    return trim(part)
  })
}

const from = (text: string, at: number): Part => trim({ text: text.slice(at), at })

/** The rows of `values (…), (…)`, or the row of a `select`, which begin at a position. */
function listRows(text: string, start: number): Part[] {
  const { text: rest, at } = from(text, start)
  const select = /^\(?\s*select\s+(?:distinct\s+)?/i.exec(rest)
  if (select) {
    const inside = rest.slice(select[0].length)
    return [{ text: splitOutside(inside, /\sfrom\s/i)[0]!, at: at + select[0].length }]
  }
  const rows: Part[] = []
  let next = from(text, at + /^(?:values)?/i.exec(rest)![0].length)
  while (next.text.startsWith('(')) {
    const [row] = splitOutside(next.text.slice(1), ')')
    rows.push({ text: row!, at: next.at + 1 })
    next = from(text, next.at + row!.length + 2)
    if (next.text.startsWith(',')) next = from(text, next.at + 1)
  }
  return rows
}

/** What an `insert` writes into a column, one for each row; none if the statement does not name the column. */
export function insertedAt(text: string, table: string, column: string): Part[] {
  const head = new RegExp(`\\binsert into "?${table}"?(?: as \\w+)?\\s*\\(`, 'i').exec(text)
  if (!head) return []
  const at = head.index + head[0].length
  const [names] = splitOutside(text.slice(at), ')')
  const position = splitOutside(names!, ',').findIndex(name => name.trim().replaceAll('"', '') === column)
  if (position < 0) return []
  return listRows(text, at + names!.length + 1).flatMap(row => splitList(row)[position] ?? [])
}

/** The parameters that an `insert` writes into a column; null if something else is written. */
export function parametersInserted(text: string, table: string, column: string): number[] | null {
  const parameters = insertedAt(text, table, column).map(part =>
    readParameter(part.text.replace(/ as \w+$/i, '')),
  )
  const known = parameters.filter(one => one !== null)
  return known.length && known.length === parameters.length ? known : null
}
