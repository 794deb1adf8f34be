import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { type MimeNode, Splitter } from '@zone-eu/mailsplit'
import type { HeaderLine } from './headers.ts'
import { mailLimits } from './limits.ts'
import { isMailFile, type Part, readHead, roleOf } from './part.ts'
import { Spool } from './spool.ts'

/** Splits a mail into its parts. Bodies go through memory in pieces; only texts stay there. */

/** Counts over a mail and the mails inside of it. */
export interface Reading {
  /** Folder for the files; null to keep none. */
  folder: string | null
  parts: number
  files: number
  truncated: Set<string>
}

export const makeReading = (folder: string | null): Reading => ({
  folder,
  parts: 0,
  files: 0,
  truncated: new Set(),
})

/** mailsplit refuses a mail with more; what it has read until then is kept. Headers beyond our own limit are cut instead. */
const splitterLimits = {
  ignoreEmbedded: true,
  maxHeadSize: 8 * 1024 * 1024,
  maxChildNodes: Number.POSITIVE_INFINITY,
}

class TooManyParts extends Error {}

const bytesInMemory: Record<string, number> = {
  multipart: mailLimits.textBytes,
  text: mailLimits.textBytes,
  report: mailLimits.reportBytes,
  calendar: mailLimits.calendarBytes,
  file: 0,
}

/** The text of a report is in the mail that is read; a mail that it returns is a file too. */
const isAlwaysFile = (part: Part): boolean =>
  part.role === 'file' || part.role === 'calendar' || (part.role === 'report' && isMailFile(part))

class PartWriter {
  readonly part: Part
  readonly #decoder: Transform | null
  readonly #spool: Spool
  #done: Promise<void> | null

  constructor(part: Part, node: MimeNode, reading: Reading) {
    this.part = part
    this.#decoder = part.role === 'multipart' ? null : (node.getDecoder() as Transform)
    const keepsFile = reading.folder !== null
    const path = join(reading.folder ?? '', `${reading.parts}`)
    const limit = keepsFile ? bytesInMemory[part.role]! : mailLimits.textBytes
    this.#spool = new Spool(path, limit, keepsFile && isAlwaysFile(part))
    this.#decoder?.on('data', (chunk: Buffer) => this.#spool.write(chunk))
    this.#done = this.#decoder ? finished(this.#decoder) : null
    // A rejection counts when the end is awaited.
    this.#done?.catch(() => undefined)
  }

  async write(chunk: Buffer): Promise<void> {
    if (!this.#decoder) this.#spool.write(chunk)
    else if (!this.#decoder.write(chunk)) await once(this.#decoder, 'drain')
  }

  async end(): Promise<void> {
    this.#decoder?.end()
    await this.#done
    this.part.body = this.#spool.end()
  }
}

export class PartReader {
  root: Part | null = null
  readonly #reading: Reading
  readonly #depth: number
  readonly #parts = new Map<MimeNode, Part>()
  #writer: PartWriter | null = null
  #hasText = false

  constructor(reading: Reading, depth: number) {
    this.#reading = reading
    this.#depth = depth
  }

  #addPart(node: MimeNode): Part {
    const parent = node.parentNode ? (this.#parts.get(node.parentNode) ?? this.root) : null
    const lines = (node.headers ? node.headers.getList() : []) as HeaderLine[]
    const head = readHead(lines, parent, null)
    const depth = parent ? parent.depth + 1 : this.#depth
    const role = this.#limit(roleOf(head, parent, !this.#hasText), depth)
    const part: Part = { ...head, lines, parent, children: [], depth, role, body: null }
    parent?.children.push(part)
    this.root ??= part
    this.#hasText ||= role === 'text'
    this.#parts.set(node, part)
    return part
  }

  #limit(role: Part['role'], depth: number): Part['role'] {
    if (depth > mailLimits.depth) {
      this.#reading.truncated.add('depth')
      return 'ignored'
    }
    if (!['file', 'report', 'calendar'].includes(role)) return role
    if (this.#reading.files >= mailLimits.files) this.#reading.truncated.add('files')
    return this.#reading.files++ < mailLimits.files ? role : 'ignored'
  }

  async #startPart(node: MimeNode): Promise<void> {
    await this.end()
    if (++this.#reading.parts > mailLimits.parts) throw new TooManyParts()
    const part = this.#addPart(node)
    if (part.role !== 'ignored') this.#writer = new PartWriter(part, node, this.#reading)
  }

  async read(chunk: { type: string; node?: MimeNode; value?: Buffer }): Promise<void> {
    if (chunk.type === 'node') return this.#startPart(chunk as unknown as MimeNode)
    const isOwn = this.#writer && chunk.node && this.#parts.get(chunk.node) === this.#writer.part
    if (isOwn && chunk.value) await this.#writer!.write(chunk.value)
  }

  async end(): Promise<void> {
    const writer = this.#writer
    this.#writer = null
    await writer?.end()
  }
}

/** A multipart whose boundary never comes is the text that it contains. */
function showBroken(part: Part): void {
  if (part.role === 'multipart' && part.children.length === 0) {
    const isHtml = /^\s{0,100}<(?:!doctype|html|body|div|p)\b/i.test(part.body?.head.toString('latin1') ?? '')
    Object.assign(part, { role: 'text', contentType: isHtml ? 'text/html' : 'text/plain' })
  }
  part.children.forEach(showBroken)
}

const cuts = (error: unknown): string | null => {
  if (error instanceof TooManyParts) return 'parts'
  return (error as { code?: string }).code === 'EMAXLEN' ? 'headers' : null
}

/** Reads the tree of parts. Rejects if the mail has none, or if the source or the disk fails. */
export async function splitMail(source: Readable, reading: Reading, depth = 0): Promise<Part> {
  const reader = new PartReader(reading, depth)
  try {
    await pipeline(source, new Splitter(splitterLimits), async chunks => {
      for await (const chunk of chunks as AsyncIterable<never>) await reader.read(chunk)
    })
  } catch (error) {
    const left = cuts(error)
    if (left === null || !reader.root) throw error
    reading.truncated.add(left)
  }
  await reader.end()
  if (!reader.root) throw new Error('The mail has no part.')
  showBroken(reader.root)
  return reader.root
}
