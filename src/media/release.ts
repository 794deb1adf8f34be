import type { ServerResponse } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Gives the memory of large pieces back as soon as they have gone on. Otherwise V8 keeps it until it next collects, and
 * collects everything it has for each 64 MB of them: a third of the processor time of large files, and pauses for all.
 */

/** Bytes; smaller ones are slices of memory that others share. */
const minReleasedBytes = 16 * 1024

/** Nobody may hold the piece any more. One that does not fill its memory is left alone. */
function release(piece: Buffer): void {
  const { buffer } = piece
  const isWhole = buffer instanceof ArrayBuffer && piece.length === buffer.byteLength
  if (isWhole && piece.length > minReleasedBytes) buffer.transfer(0)
}

/** For a reader that has done with a piece when it asks for the next one. */
export async function* releaseRead(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    yield piece
    release(piece)
  }
}

/** Passes pieces on to the answer, and gives back those that the system has taken. */
export function releaseSent(content: Readable, response: ServerResponse): Readable {
  let passed: Buffer[] = []
  const passing = new Transform({
    transform(piece: Buffer, _, done) {
      if (this.readableLength + response.writableLength === 0) {
        passed.forEach(release)
        passed = []
      }
      passed.push(piece)
      done(null, piece)
    },
  })
  // Who waits for the answer hears of an error by the stream.
  return pipeline(content, passing, () => {})
}
