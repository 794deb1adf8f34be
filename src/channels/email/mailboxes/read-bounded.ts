/** Passes on at most this many bytes and discards the rest. */
export async function* readBounded(content: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes
  for await (const chunk of content) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left)
      return
    }
    left -= chunk.length
    yield chunk
  }
}
