interface Row {
  id: string
}

/**
 * Yields each row after the row that it refers to. Rows that refer to another one are kept in memory; they are few. Rows that refer to
 * each other in a cycle, which only a damaged export contains, come in any order.
 */
export async function* readInOrder<T extends Row>(
  read: () => AsyncIterable<T>,
  referenceOf: (row: T) => string | null,
): AsyncGenerator<T> {
  const waiting: T[] = []
  for await (const row of read()) {
    if (referenceOf(row) === null) yield row
    else waiting.push(row)
  }
  const left = new Map(waiting.map(row => [row.id, row]))
  for (const row of waiting) yield* takeWithReferenced(row, left, referenceOf)
}

function* takeWithReferenced<T extends Row>(
  row: T,
  left: Map<string, T>,
  referenceOf: (row: T) => string | null,
): Generator<T> {
  if (!left.delete(row.id)) return
  const other = left.get(referenceOf(row)!)
  if (other) yield* takeWithReferenced(other, left, referenceOf)
  yield row
}
