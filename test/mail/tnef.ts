/** Builds a winmail.dat in the format of Outlook. */

export interface TnefTestFile {
  short: string
  long: string | null
  data: Buffer
  type?: string
  cid?: string
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

function attribute(level: number, id: number, data: Buffer): Buffer {
  const sum = Buffer.alloc(2)
  sum.writeUInt16LE(data.reduce((all, byte) => (all + byte) & 0xffff, 0))
  return Buffer.concat([Buffer.from([level]), u32(id), u32(data.length), data, sum])
}

function unicode(id: number, text: string): Buffer {
  const value = Buffer.from(`${text}\0`, 'utf16le')
  const padding = Buffer.alloc((4 - (value.length % 4)) % 4)
  return Buffer.concat([u32(((id << 16) | 0x1f) >>> 0), u32(1), u32(value.length), value, padding])
}

/** A named property, which readers must skip. */
const named = Buffer.concat([u32(0x80000003), Buffer.alloc(16), u32(0), u32(0x8510), u32(7)])

const properties = (...all: Buffer[]): Buffer => Buffer.concat([u32(all.length), ...all])

function fileAttributes({ short, long, data, type, cid }: TnefTestFile): Buffer[] {
  const details = [
    named,
    long && unicode(0x3707, long),
    type && unicode(0x370e, type),
    cid && unicode(0x3712, cid),
  ].filter(one => Buffer.isBuffer(one))
  return [
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${short}\0`, 'latin1')),
    attribute(2, 0x0006800f, data),
    attribute(2, 0x00069005, properties(...details)),
  ]
}

export const buildTnef = ({ body, files }: { body: string; files: TnefTestFile[] }): Buffer =>
  Buffer.concat([
    u32(0x223e9f78),
    Buffer.from([1, 0]),
    attribute(1, 0x00089006, u32(0x00010000)),
    attribute(1, 0x00069007, Buffer.concat([u32(1252), u32(0)])),
    attribute(1, 0x00069003, properties(named, unicode(0x1000, body))),
    ...files.flatMap(fileAttributes),
  ])
