import type { Readable } from 'node:stream'

/** All of a stream, or an error as soon as it is longer: a project's own bucket may send without end. */
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
