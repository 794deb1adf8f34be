/** Yields the items of all sources in order. While one source is read, up to `ahead` later ones prepare their first items. */
export async function* readAhead<T>(
  sources: AsyncIterable<AsyncGenerator<T>>,
  ahead: number,
): AsyncGenerator<T> {
  const started: { source: AsyncGenerator<T>; first: Promise<IteratorResult<T>> }[] = []
  const drain = async function* (): AsyncGenerator<T> {
    const { source, first } = started.shift()!
    for (let next = await first; !next.done; next = await source.next()) yield next.value
  }
  for await (const source of sources) {
    const first = source.next()
    // If it fails, the error is thrown when it is the source's turn.
    first.catch(() => undefined)
    started.push({ source, first })
    if (started.length > ahead) yield* drain()
  }
  while (started.length > 0) yield* drain()
}
