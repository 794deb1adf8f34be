import { decodeRaw, unfold } from './encoded-words.ts'
import type { HeaderLine } from './headers.ts'
import { type HeaderValue, parseParameters } from './parameters.ts'
import type { Spooled } from './spool.ts'

/**
 * How a part is handled. `text` is shown. `report` is parsed; a returned email in it is also stored as a file. `calendar` is parsed
 * and stored as a file. `file` is stored. `ignored` parts, such as signatures, are dropped.
 */
export type Role = 'multipart' | 'text' | 'report' | 'calendar' | 'file' | 'ignored'

/** The properties of a part from its headers. */
export interface PartHead {
  contentType: string
  params: Record<string, string>
  isAttachment: boolean
  filename: string | null
  contentId: string | null
  location: string | null
}

export interface Part extends PartHead {
  lines: HeaderLine[]
  parent: Part | null
  children: Part[]
  depth: number
  role: Role
  body: Spooled | null
}

const readValue = (lines: HeaderLine[], key: string, charset: string | null): string => {
  const line = lines.find(one => one.key === key)?.line.slice(0, 16_384)
  return line ? decodeRaw(unfold(line.slice(line.indexOf(':') + 1)), charset).trim() : ''
}

/** The content type, with defaults for a missing or incomplete one. Some mail programs write only `text`. */
function typeOf({ value }: HeaderValue, disposition: HeaderValue, parent: Part | null): string {
  if (/^[^\s/]+\/[^\s/]+$/.test(value)) return value
  if (value !== '' && value !== 'text') return 'application/octet-stream'
  if (value === '' && parent?.contentType === 'multipart/digest') return 'message/rfc822'
  return value === '' && disposition.value === 'attachment' ? 'application/octet-stream' : 'text/plain'
}

/** Reads the headers of a part. `charset` is for raw bytes that are not UTF-8. */
export function readHead(lines: HeaderLine[], parent: Part | null, charset: string | null): PartHead {
  const type = parseParameters(readValue(lines, 'content-type', charset))
  const disposition = parseParameters(readValue(lines, 'content-disposition', charset))
  const id = readValue(lines, 'content-id', null).replaceAll(/[<>\s]/g, '')
  return {
    contentType: typeOf(type, disposition, parent),
    params: type.params,
    isAttachment: disposition.value !== '' && disposition.value !== 'inline',
    filename: disposition.params.filename || type.params.name || null,
    contentId: id || null,
    location: readValue(lines, 'content-location', null) || null,
  }
}

const reports = new Set([
  'message/delivery-status',
  'message/global-delivery-status',
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/feedback-report',
])
const returned = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
])
const signatures = /^application\/(?:x-)?(?:pkcs7|pgp)-signature$/

export const isSignature = ({ contentType }: PartHead): boolean => signatures.test(contentType)

export const isMailFile = ({ contentType }: PartHead): boolean =>
  contentType === 'message/rfc822' || contentType === 'message/global'

/** Whether a text part is shown. One with a file name is an attachment, unless it is the first text. */
const isText = (head: PartHead, isFirst: boolean): boolean =>
  /^text\/(?:plain|html)$/.test(head.contentType) && !head.isAttachment && (isFirst || head.filename === null)

/** An alternative format for some mail programs, such as AMP or a smartwatch format. */
const isSpecialAlternative = (
  { contentType, filename, isAttachment }: PartHead,
  parent: Part | null,
): boolean =>
  parent?.contentType === 'multipart/alternative' &&
  /^text\/(?!plain|html)/.test(contentType) &&
  filename === null &&
  !isAttachment

/** `isFirst`: whether no text part came before. */
export function roleOf(head: PartHead, parent: Part | null, isFirst: boolean): Role {
  const { contentType } = head
  if (contentType.startsWith('multipart/')) return 'multipart'
  if (isSignature(head) || contentType === 'application/pgp-encrypted') return 'ignored'
  const isReport = parent?.contentType === 'multipart/report' && returned.has(contentType)
  if (isReport || reports.has(contentType)) return 'report'
  if (/^(?:text\/calendar|application\/ics)$/.test(contentType)) return 'calendar'
  if (isText(head, isFirst)) return 'text'
  return isSpecialAlternative(head, parent) ? 'ignored' : 'file'
}

/** All parts in document order, parents before their children. */
export const listParts = (part: Part): Part[] => [part, ...part.children.flatMap(listParts)]
