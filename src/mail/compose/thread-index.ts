import { createHash } from 'node:crypto'

/** Thread-Index, by which Outlook finds the emails of a conversation ([MS-OXOMSG] 2.2.1.3). */

const rootBytes = 22
const replyBytes = 5
const maxReplies = 60

/** Units of 100 nanoseconds since 1601. */
const fileTime = (date: Date): bigint => (BigInt(date.getTime()) + 11_644_473_600_000n) * 10_000n

/** The first byte is 1; five bytes of the time and a GUID follow. */
function makeRoot(date: Date, seed: string): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(fileTime(date))
  const guid = createHash('sha256').update(seed).digest().subarray(0, 16)
  return Buffer.concat([Buffer.from([1]), time.subarray(1, 6), guid])
}

const maxShortUnits = 1n << 49n

/** The time since the first email, in units of 26 ms, or of 0.8 s after 1.7 years, and a byte that tells replies apart. */
function makeReply(root: Buffer, date: Date, seed: string): Buffer {
  const begun = root.readUIntBE(0, 6)
  const passed = fileTime(date) - (BigInt(begun) << 16n)
  const units = passed > 0n ? passed : 0n
  const isLong = units >= maxShortUnits
  const shown = (isLong ? units >> 23n : units >> 18n) & 0x7fff_ffffn
  const bytes = Buffer.alloc(replyBytes)
  bytes.writeUInt32BE(Number(shown) + (isLong ? 0x8000_0000 : 0))
  bytes[4] = createHash('sha256').update(seed).digest()[0]! & 0xf0
  return bytes
}

/**
 * The Thread-Index of an email in base64: that of the email that is answered with five more bytes, otherwise a new one. The same
 * arguments give the same result. `seed` is the email's Message-ID.
 */
export function makeThreadIndex(answered: string | null, date: Date, seed: string): string {
  const bytes = Buffer.from(answered ?? '', 'base64')
  if (bytes.length < rootBytes) return makeRoot(date, seed).toString('base64')
  const root = bytes.subarray(0, rootBytes)
  const replies = Math.min(Math.floor((bytes.length - rootBytes) / replyBytes), maxReplies)
  const kept = bytes.subarray(0, rootBytes + replies * replyBytes)
  return Buffer.concat([kept, makeReply(root, date, seed)]).toString('base64')
}
