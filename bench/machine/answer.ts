const headEnd = Buffer.from('\r\n\r\n')

/** The length in bytes of the response at the start of this chunk, or 0 if its head is incomplete. */
export function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf(headEnd)
  if (end === -1) return 0
  const head = chunk.toString('latin1', 0, end).toLowerCase()
  const at = head.indexOf('content-length: ')
  return end + 4 + (at === -1 ? 0 : Number.parseInt(head.slice(at + 16, at + 28), 10))
}
