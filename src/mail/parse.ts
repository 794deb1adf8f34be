import { createReadStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { declaredCharset, decodePart, type MailBody, readBody } from './body.ts'
import { readInvitation } from './calendar.ts'
import { cleanTexts } from './clean.ts'
import { openContainers, type Protection } from './containers.ts'
import { safeFilename } from './filename.ts'
import { type DataPicture, fileFinder, listFileParts, makeFile, markInline } from './files.ts'
import { buildHeaders } from './headers.ts'
import { mailLimits } from './limits.ts'
import type { Mail, MailFile, MailReport } from './mail.ts'
import { isMailFile, listParts, type Part, readHead } from './part.ts'
import { makeReading, type Reading, splitMail } from './split.ts'
import { spoolBytes } from './spool.ts'

/** The first reader. It splits the email with mailsplit and selects texts and charsets itself. */

const maxBufferedBytes = 256 * 1024

/** Reads a small email at once, which is faster than a stream. */
const openSource = (path: string): Readable =>
  statSync(path).size > maxBufferedBytes ? createReadStream(path) : Readable.from([readFileSync(path)])

const readReport = ({ contentType, body }: Part): MailReport => ({
  contentType,
  text: decodePart({ body, contentType, params: {} }, null).text,
})

/** Decodes raw bytes in file names in the charset of the text, which is known only after all parts are split. */
function decodeRawNames(root: Part, charset: string | null): void {
  if (charset === null || charset === 'utf-8') return
  for (const part of listParts(root)) {
    const hasBytes = part.lines.some(
      ({ key, line }) => key.startsWith('content-') && /[\x80-\xff]/.test(line),
    )
    if (hasBytes && part.role !== 'multipart')
      part.filename = readHead(part.lines, part.parent, charset).filename
  }
}

async function readAttached(part: Part): Promise<NonNullable<Mail['attached']>> {
  const root = await splitMail(openSource(part.body!.path!), makeReading(null))
  const { text, html } = readBody(root, { findFile: () => null, isRough: false, onCut: () => undefined })
  return { headers: buildHeaders(root.lines, declaredCharset(root)).headers, text, html }
}

/** The attached emails by part. Those that cannot be parsed remain files only. */
async function readAllAttached(root: Part): Promise<Map<Part, NonNullable<Mail['attached']>>> {
  const found = new Map<Part, NonNullable<Mail['attached']>>()
  const mails = listParts(root).filter(part => part.role === 'file' && isMailFile(part))
  for (const part of mails.slice(0, 20)) {
    const attached = await readAttached(part).catch(() => null)
    if (attached) found.set(part, attached)
  }
  return found
}

function pgpOf(text: string, found: Protection): Protection {
  const [, kind] = /^-----BEGIN PGP (MESSAGE|SIGNED MESSAGE)-----/m.exec(text) ?? []
  return {
    encrypted: found.encrypted ?? (kind === 'MESSAGE' ? 'pgp' : null),
    signature: found.signature ?? (kind === 'SIGNED MESSAGE' ? 'pgp' : null),
  }
}

function storePicture({ contentType, bytes }: DataPicture, reading: Reading): MailFile | null {
  if (reading.files >= mailLimits.files) {
    reading.truncated.add('files')
    return null
  }
  const path = join(reading.folder!, `${++reading.parts}-${++reading.files}`)
  const { size, sha256 } = spoolBytes(path, bytes)
  return {
    filename: safeFilename(null, contentType),
    contentType,
    size,
    sha256,
    path,
    contentId: null,
    isInline: false,
  }
}

const isReport = ({ role }: Part): boolean => role === 'report'

function markTruncated(root: Part, reading: Reading): void {
  if (listParts(root).filter(isReport).length > mailLimits.reports) reading.truncated.add('reports')
  for (const { role, body } of listParts(root)) {
    if (role === 'text' && body && body.size > body.head.length) reading.truncated.add('text')
    if (role === 'report' && body && body.size > mailLimits.reportBytes) reading.truncated.add('reports')
  }
}

async function assemble(root: Part, reading: Reading, isRough: boolean): Promise<Mail> {
  const protection = isRough ? { encrypted: null, signature: null } : await openContainers(root, reading)
  const charset = declaredCharset(root)
  decodeRawNames(root, charset)
  const attached = isRough ? new Map() : await readAllAttached(root)
  const subjects = new Map([...attached].map(([part, { headers }]) => [part, headers.subject]))
  const fileParts = listFileParts(root)
  const files = fileParts.map(part => makeFile(part, subjects))
  const body: MailBody = readBody(root, {
    findFile: fileFinder(fileParts, files, picture => storePicture(picture, reading)),
    isRough,
    onCut: what => reading.truncated.add(what),
  })
  const { headers, truncated } = buildHeaders(root.lines, charset ?? body.charset)
  markInline(body.html, files)
  markTruncated(root, reading)
  const parts = listParts(root)
  const calendar = parts.find(({ role }) => role === 'calendar')
  return {
    headers,
    ...body,
    files,
    reports: parts.filter(isReport).slice(0, mailLimits.reports).map(readReport),
    invitation: calendar && !isRough ? readInvitation(decodePart(calendar, charset).text) : null,
    ...pgpOf(body.text, protection),
    attached: attached.size === 1 ? [...attached.values()][0] : null,
    reader: 'mailsplit',
    truncated: [...reading.truncated, ...truncated, ...(isRough ? ['html'] : [])],
  }
}

/**
 * Parses an email. Writes its files to `folder`, which is created if needed. `isRough` keeps no HTML and opens no containers, attached
 * emails or calendars, so it fails less often. Rejects if the email cannot be parsed, and with SpoolError if the disk fails.
 */
export async function parseMail(path: string, folder: string, isRough = false): Promise<Mail> {
  const reading = makeReading(folder)
  const root = await splitMail(openSource(path), reading)
  return cleanTexts(await assemble(root, reading, isRough))
}
