import { readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { mailLimits } from './limits.ts'
import { listParts, type Part } from './part.ts'
import { openEnvelope } from './smime.ts'
import { type Reading, splitMail } from './split.ts'
import { spoolBytes } from './spool.ts'
import { readTnef, type TnefFile } from './tnef.ts'

/** Opens parts that contain other parts: winmail.dat and opaque S/MIME. Their contents replace them in the tree. */

export interface Protection {
  encrypted: 'smime' | 'pgp' | null
  signature: 'smime' | 'pgp' | null
}

const isTnef = (part: Part): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(part.contentType) || /^winmail\.dat$/i.test(part.filename ?? '')

const isEnvelope = (part: Part): boolean =>
  /^application\/(?:x-)?pkcs7-mime$/.test(part.contentType) ||
  (part.contentType === 'application/octet-stream' && /^smime\.p7m$/i.test(part.filename ?? ''))

function bytesOf(part: Part): Buffer | null {
  const { body } = part
  if (!body?.path || body.size > mailLimits.containerBytes) return null
  return readFileSync(body.path)
}

/** Turns the part into a multipart with the given children and deletes its file. */
function replaceBy(part: Part, kind: string, children: Part[], reading: Reading): void {
  unlinkSync(part.body!.path!)
  reading.files--
  Object.assign(part, { role: 'multipart', contentType: `multipart/${kind}`, body: null, children })
  for (const child of children) child.parent = part
}

function makePart(parent: Part, role: Part['role'], values: Partial<Part>): Part {
  const none = {
    params: {},
    isAttachment: false,
    filename: null,
    contentId: null,
    location: null,
    lines: [],
    body: null,
  }
  return {
    contentType: 'application/octet-stream',
    ...none,
    parent,
    children: [],
    depth: parent.depth + 1,
    role,
    ...values,
  }
}

function storeFile(parent: Part, file: TnefFile, reading: Reading): Part {
  const { filename, contentType, contentId, data } = file
  const body = spoolBytes(join(reading.folder!, `${++reading.parts}`), data)
  reading.files++
  return makePart(parent, 'file', {
    filename,
    contentId,
    contentType: contentType ?? 'application/octet-stream',
    body,
    isAttachment: true,
  })
}

function makeText(parent: Part, contentType: string, text: string): Part {
  const bytes = Buffer.from(text).subarray(0, mailLimits.textBytes)
  const body = { head: bytes, size: bytes.length, sha256: '', path: null }
  return makePart(parent, 'text', { contentType, params: { charset: 'utf-8' }, body })
}

/** The text in winmail.dat usually repeats the text of the email, so it is used only if the email has none. */
function openTnef(part: Part, reading: Reading, needsText: boolean): void {
  const bytes = bytesOf(part)
  const tnef = bytes && readTnef(bytes)
  if (!tnef) return
  const available = Math.max(0, mailLimits.files - reading.files)
  if (tnef.files.length > available) reading.truncated.add('files')
  const files = tnef.files.slice(0, available).map(file => storeFile(part, file, reading))
  const type = tnef.html ? 'text/html' : 'text/plain'
  const text = tnef.html ?? tnef.text
  replaceBy(part, 'x-tnef', [...(needsText && text ? [makeText(part, type, text)] : []), ...files], reading)
}

async function openSigned(part: Part, reading: Reading, protection: Protection): Promise<void> {
  const bytes = bytesOf(part)
  const envelope = bytes ? openEnvelope(bytes) : null
  if (envelope?.kind === 'encrypted' || part.params['smime-type']?.toLowerCase() === 'enveloped-data')
    protection.encrypted = 'smime'
  if (envelope?.kind !== 'signed') return
  protection.signature = 'smime'
  const inner = await splitMail(Readable.from([envelope.content]), reading, part.depth + 1)
  replaceBy(part, 'x-smime', [inner], reading)
}

function protectionOf(root: Part): Protection {
  const types = listParts(root).map(({ contentType }) => contentType)
  const signature = types.find(type => /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/.test(type))
  return {
    encrypted: types.includes('multipart/encrypted') ? 'pgp' : null,
    signature: !signature ? null : signature.includes('pgp') ? 'pgp' : 'smime',
  }
}

const maxNested = 5

/** Opens all containers in the tree, including nested ones. */
export async function openContainers(root: Part, reading: Reading): Promise<Protection> {
  const protection = protectionOf(root)
  for (let round = 0; round < maxNested; round++) {
    const envelopes = listParts(root).filter(part => part.role === 'file' && isEnvelope(part))
    for (const part of envelopes) await openSigned(part, reading, protection)
    if (!envelopes.some(part => part.role === 'multipart')) break
  }
  const parts = listParts(root)
  const needsText = !parts.some(
    part => part.role === 'text' && (part.body?.head.toString('latin1').trim() ?? '') !== '',
  )
  for (const part of parts) if (part.role === 'file' && isTnef(part)) openTnef(part, reading, needsText)
  protection.signature ??= protectionOf(root).signature
  return protection
}
