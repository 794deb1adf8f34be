import type { ServerResponse } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Frees the memory of large buffers as soon as they have been passed on: decision 31. Otherwise V8 keeps it until the next
 * garbage collection, and runs a full one for each 64 MB: a third of the processor time of large files, and pauses for all
 * requests.
 */

/** Bytes. Smaller buffers are slices of shared memory. */
const minReleasedBytes = 16 * 1024

/** Frees a buffer that is no longer used. A buffer that does not fill its memory is left alone. */
function release(piece: Buffer): void {
  const { buffer } = piece
  const isWhole = buffer instanceof ArrayBuffer && piece.length === buffer.byteLength
  if (isWhole && piece.length > minReleasedBytes) buffer.transfer(0)
}

/** For a reader that has finished with a buffer when it requests the next one. */
export async function* releaseRead(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    yield piece
    release(piece)
  }
}

/** Passes buffers on to the response, and frees those that the kernel has taken. */
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
  // Errors are reported by the stream.
  return pipeline(content, passing, () => {})
}
