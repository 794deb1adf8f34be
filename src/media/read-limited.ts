import type { Readable } from 'node:stream'

/** Reads a whole stream, with a length limit, because a project's bucket may send endless data. */
export async function readLimited(content: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new Error(`The object is longer than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
