import { decodeBytes, findCharset } from './charset.ts'

/** Parses winmail.dat (TNEF, MS-OXTNEF), in which Outlook stores the files and text of an email. */

export interface TnefFile {
  filename: string | null
  contentType: string | null
  contentId: string | null
  data: Buffer
}

export interface Tnef {
  text: string | null
  html: string | null
  files: TnefFile[]
}

const signature = 0x223e9f78
const attribute = {
  body: 0x0002800c,
  codepage: 0x00069007,
  messageProperties: 0x00069003,
  fileStart: 0x00069002,
  fileTitle: 0x00018010,
  fileData: 0x0006800f,
  fileProperties: 0x00069005,
}
const property = {
  body: 0x1000,
  html: 0x1013,
  data: 0x3701,
  filename: 0x3704,
  longName: 0x3707,
  type: 0x370e,
  cid: 0x3712,
}

class Cursor {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  number(): number {
    this.at += 4
    return this.bytes.readUInt32LE(this.at - 4)
  }

  take(length: number): Buffer {
    if (length > this.left) throw new RangeError('The TNEF data ends too early.')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  /** A value that is padded to a multiple of four bytes. */
  takePadded(length: number): Buffer {
    const value = this.take(length)
    this.at = Math.min(this.bytes.length, this.at + ((4 - (length % 4)) % 4))
    return value
  }
}

/** Sizes of fixed-size MAPI types. */
const fixedSizes: Record<number, number> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
}
const isCounted = (type: number): boolean => [0x000d, 0x001e, 0x001f, 0x0102].includes(type & 0x0fff)

const trimNull = (text: string): string => text.split('\0', 1)[0]!

/** Skips the name of a named property, which precedes its value: a number or text. */
function skipName(cursor: Cursor): void {
  cursor.take(16)
  if (cursor.number() === 0) cursor.number()
  else cursor.takePadded(cursor.number())
}

function readValues(cursor: Cursor, type: number): Buffer[] {
  const isMany = (type & 0x1000) !== 0
  const count = isCounted(type) || isMany ? cursor.number() : 1
  const values: Buffer[] = []
  for (let i = 0; i < count && cursor.left > 0; i++)
    values.push(cursor.takePadded(isCounted(type) ? cursor.number() : (fixedSizes[type & 0x0fff] ?? 4)))
  return values
}

type Properties = Map<number, { type: number; value: Buffer }>

/** Reads MAPI properties by ID. Ignores everything after a damaged one. */
function readProperties(bytes: Buffer): Properties {
  const properties: Properties = new Map()
  try {
    const cursor = new Cursor(bytes)
    for (let left = cursor.number(); left > 0 && cursor.left >= 4; left--) {
      const tag = cursor.number()
      if (tag >>> 16 >= 0x8000) skipName(cursor)
      const [value] = readValues(cursor, tag & 0xffff)
      if (value) properties.set(tag >>> 16, { type: tag & 0x0fff, value })
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return properties
}

function textOf(properties: Properties, id: number, charset: string): string | null {
  const found = properties.get(id)
  if (!found) return null
  return trimNull(decodeBytes(found.value, found.type === 0x001f ? 'utf-16le' : charset))
}

interface State {
  tnef: Tnef
  charset: string
}

/** Removes the 16-byte interface ID at the beginning of an object. */
const withoutClass = ({ type, value }: { type: number; value: Buffer }): Buffer =>
  type === 0x000d ? value.subarray(16) : value

function describeFile(file: TnefFile, bytes: Buffer, charset: string): void {
  const properties = readProperties(bytes)
  file.filename =
    textOf(properties, property.longName, charset) ??
    file.filename ??
    textOf(properties, property.filename, charset)
  file.contentType = textOf(properties, property.type, charset)
  file.contentId = textOf(properties, property.cid, charset)
  const data = properties.get(property.data)
  if (data && file.data.length === 0) file.data = withoutClass(data)
}

function readMessage({ tnef, charset }: State, bytes: Buffer): void {
  const properties = readProperties(bytes)
  tnef.text ??= textOf(properties, property.body, charset)
  tnef.html ??= textOf(properties, property.html, charset)
}

function readAttribute(state: State, id: number, data: Buffer): void {
  const { tnef, charset } = state
  const file = tnef.files.at(-1)
  if (id === attribute.codepage && data.length >= 4)
    state.charset =
      findCharset(`windows-${data.readUInt32LE(0)}`) ??
      findCharset(`cp${data.readUInt32LE(0)}`) ??
      'windows-1252'
  else if (id === attribute.body) tnef.text ??= trimNull(decodeBytes(data, charset))
  else if (id === attribute.messageProperties) readMessage(state, data)
  else if (id === attribute.fileStart)
    tnef.files.push({ filename: null, contentType: null, contentId: null, data: Buffer.alloc(0) })
  else if (id === attribute.fileTitle && file) file.filename = trimNull(decodeBytes(data, charset))
  else if (id === attribute.fileData && file) file.data = data
  else if (id === attribute.fileProperties && file) describeFile(file, data, charset)
}

/** The contents of winmail.dat; null if the bytes are not TNEF. Ignores everything after damaged data. */
export function readTnef(bytes: Buffer): Tnef | null {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== signature) return null
  const state: State = { tnef: { text: null, html: null, files: [] }, charset: 'windows-1252' }
  const cursor = new Cursor(bytes)
  cursor.take(6)
  try {
    // Each attribute consists of level, ID, length, data and a checksum of two bytes.
    while (cursor.left >= 11) {
      cursor.take(1)
      const id = cursor.number()
      readAttribute(state, id, cursor.take(cursor.number()))
      cursor.take(2)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return state.tnef
}
