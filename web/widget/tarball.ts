import { gzipSync } from 'node:zlib'

/** The npm package as one file. Its bytes depend only on the files, because lock files contain its hash. */

const block = 512

/** A header in ustar format. Numbers are octal. */
function printHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  header.write(`package/${name}`, 0)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  // The same as npm, because some programs reject the year 1970.
  header.write(octal(Date.UTC(1985, 9, 26, 8, 15) / 1_000, 12), 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)}\0 `, 148)
  return header
}

const printEntry = (name: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    printHeader(name, bytes.length),
    bytes,
    Buffer.alloc((block - (bytes.length % block)) % block),
  ])

/**
 * Uncompressed gzip: compressed output differs between zlib versions, and byte 9 between operating systems.
 */
export function printTarball(files: Record<string, Buffer>): Buffer {
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
  const tar = Buffer.concat([
    ...entries.map(([name, bytes]) => printEntry(name, bytes)),
    Buffer.alloc(2 * block),
  ])
  const packed = gzipSync(tar, { level: 0 })
  packed[9] = 255
  return packed
}
