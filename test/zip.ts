import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: string
  /** False values for the archive's headers. */
  claims?: { size?: number; mode?: number }
}

interface Written {
  local: Buffer
  central: Buffer
}

function writeEntry({ name, content, claims = {} }: ZipEntry, offset: number): Written {
  const file = Buffer.from(name)
  const data = deflateRawSync(content)
  const size = claims.size ?? Buffer.byteLength(content)
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(0x800, 2)
  shared.writeUInt16LE(8, 4)
  shared.writeUInt32LE(crc32(content), 10)
  shared.writeUInt32LE(data.length, 14)
  shared.writeUInt32LE(size, 18)
  shared.writeUInt16LE(file.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, file, data])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(((claims.mode ?? 0o100644) << 16) >>> 0, 6)
  rest.writeUInt32LE(offset, 10)
  const central = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), shared, rest, file])
  return { local, central }
}

/** A zip archive written byte by byte, so that it can be invalid. */
export function makeZip(entries: ZipEntry[]): Buffer {
  const written: Written[] = []
  let offset = 0
  for (const entry of entries) {
    const one = writeEntry(entry, offset)
    offset += one.local.length
    written.push(one)
  }
  const central = Buffer.concat(written.map(one => one.central))
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...written.map(one => one.local), central, Buffer.from('PK\x05\x06'), end])
}
