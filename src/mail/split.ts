import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit'
import { codeOf } from '../core/thrown.ts'
import { mailLimits } from './limits.ts'
import { isMailFile, type Part, readHead, roleOf } from './part.ts'
import { Spool } from './spool.ts'

/** Splits an email into its parts. Bodies are streamed; only the beginnings of texts, reports and calendars stay in memory. */

/** Counters for an email and its opened containers. */
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

/** If an email exceeds these limits, mailsplit fails, and the parts before the failure are kept. Headers above our own, lower limit are truncated. */
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

/** Whether a part is always stored as a file. The text of a report is in `Mail.reports`; a returned email is also a file. */
const isAlwaysFile = (part: Part): boolean =>
  part.role === 'file' || part.role === 'calendar' || (part.role === 'report' && isMailFile(part))

class PartWriter {
  readonly part: Part
  readonly #decoder: Transform | null
  readonly #spool: Spool
  #done: Promise<void> | null

  constructor(part: Part, node: MimeNode, reading: Reading) {
    this.part = part
    this.#decoder = part.role === 'multipart' ? null : node.getDecoder()
    const keepsFile = reading.folder !== null
    const path = join(reading.folder ?? '', `${reading.parts}`)
    const limit = keepsFile ? bytesInMemory[part.role]! : mailLimits.textBytes
    this.#spool = new Spool(path, limit, keepsFile && isAlwaysFile(part))
    this.#decoder?.on('data', (chunk: Buffer) => this.#spool.write(chunk))
    this.#done = this.#decoder ? finished(this.#decoder) : null
    // `end` handles a rejection. Until then it must not count as unhandled.
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
    const lines = node.headers ? node.headers.getList() : []
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

  async read(chunk: SplitterChunk): Promise<void> {
    if (chunk.type === 'node') return this.#startPart(chunk)
    const isOwn = this.#writer && this.#parts.get(chunk.node) === this.#writer.part
    if (isOwn) await this.#writer!.write(chunk.value)
  }

  async end(): Promise<void> {
    const writer = this.#writer
    this.#writer = null
    await writer?.end()
  }
}

/** Turns a multipart whose boundary never occurs into a text part. */
function repairBroken(part: Part): void {
  if (part.role === 'multipart' && part.children.length === 0) {
    const isHtml = /^\s{0,100}<(?:!doctype|html|body|div|p)\b/i.test(part.body?.head.toString('latin1') ?? '')
    Object.assign(part, { role: 'text', contentType: isHtml ? 'text/html' : 'text/plain' })
  }
  part.children.forEach(repairBroken)
}

const exceededLimit = (error: unknown): string | null => {
  if (error instanceof TooManyParts) return 'parts'
  return codeOf(error) === 'EMAXLEN' ? 'headers' : null
}

/** Reads the tree of parts. Rejects if there are no parts, or if the source or the disk fails. */
export async function splitMail(source: Readable, reading: Reading, depth = 0): Promise<Part> {
  const reader = new PartReader(reading, depth)
  try {
    await pipeline(source, new Splitter(splitterLimits), async chunks => {
      for await (const chunk of chunks) await reader.read(chunk)
    })
  } catch (error) {
    const left = exceededLimit(error)
    if (left === null || !reader.root) throw error
    reading.truncated.add(left)
  }
  await reader.end()
  if (!reader.root) throw new Error('The email has no parts.')
  repairBroken(reader.root)
  return reader.root
}
