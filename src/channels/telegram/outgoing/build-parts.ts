import { type Storages, signedQuery } from '../../../media/media.ts'
import { renderContent } from '../../../messages/messages.ts'
import { type FormattedText, toFormattedText } from './html-entities.ts'
import type { SentContent, SentFile } from './send-queries.ts'
import { maxCaptionLength, splitText } from './split-text.ts'

/** Splits a message into parts that can each be sent with one call: texts, files and albums. */

export type FileKind = 'photo' | 'video' | 'audio' | 'document' | 'animation'

export interface PartFile {
  kind: FileKind
  file: SentFile
}

export interface TextPart extends FormattedText {
  files: []
}

/** One file, or an album. The text is the caption. */
export interface FilePart extends FormattedText {
  files: [PartFile, ...PartFile[]]
}

export type MessagePart = TextPart | FilePart

export interface PartDeps {
  storages: Storages
  publicUrl: string
}

const megabyte = 1024 * 1024
const maxPhotoBytes = 10 * megabyte
const maxFileBytes = 50 * megabyte
const maxPhotoSides = 10_000
const maxPhotoRatio = 20
const maxAlbum = 10

function isPhoto({ content_type, size, width, height }: SentFile): boolean {
  if (!['image/jpeg', 'image/png', 'image/webp'].includes(content_type) || size > maxPhotoBytes) return false
  const [long, short] = [Math.max(width ?? 0, height ?? 0), Math.min(width ?? 0, height ?? 0)]
  return short > 0 && long + short <= maxPhotoSides && long / short <= maxPhotoRatio
}

function kindOf(file: SentFile): FileKind {
  if (isPhoto(file)) return 'photo'
  if (file.content_type === 'image/gif') return 'animation'
  if (file.content_type === 'video/mp4') return 'video'
  return ['audio/mpeg', 'audio/mp4', 'audio/x-m4a'].includes(file.content_type) ? 'audio' : 'document'
}

/** Photos and videos can share an album. Audio files and documents only go with their own kind, and animations are sent alone. */
const albumOf = (kind: FileKind): string => (kind === 'video' ? 'photo' : kind)

function groupFiles(files: SentFile[]): PartFile[][] {
  const known = files.map(file => ({ kind: kindOf(file), file }))
  const groups = ['photo', 'audio', 'document', 'animation'].map(album =>
    known.filter(({ kind }) => albumOf(kind) === album),
  )
  return groups.flatMap((group, at) => {
    const size = at === 3 ? 1 : maxAlbum
    return Array.from({ length: Math.ceil(group.length / size) }, (_, part) =>
      group.slice(part * size, (part + 1) * size),
    )
  })
}

const linkSeconds = 30 * 86_400

/** Files that are too large for bots are sent as links. */
const linkTo = ({ publicUrl }: PartDeps, { id, filename, size }: SentFile): string =>
  `📎 ${filename} (${(size / megabyte).toFixed(1)} MB)\n${publicUrl.replace(/\/$/, '')}/api/media/${id}${signedQuery(id, Date.now(), linkSeconds)}`

function textOf({ content, content_format, content_html }: SentContent): FormattedText {
  if (content_format === 'text' && content_html === null) return { text: content.trimEnd(), entities: [] }
  return toFormattedText(content_html ?? renderContent(content, content_format))
}

const append = ({ text, entities }: FormattedText, lines: string[]): FormattedText => ({
  text: [text, ...lines].filter(Boolean).join('\n\n'),
  entities,
})

const isFilled = (files: PartFile[]): files is FilePart['files'] => files.length > 0

/** A short text becomes the caption of the first files; a longer one is sent before them. */
export function buildParts(deps: PartDeps, message: SentContent, files: SentFile[]): MessagePart[] {
  const linked = files.filter(({ size }) => size > maxFileBytes || size === 0)
  const text = append(
    textOf(message),
    linked.map(file => linkTo(deps, file)),
  )
  const groups = groupFiles(files.filter(file => !linked.includes(file)))
  const isCaption = groups.length > 0 && text.text.length <= maxCaptionLength
  const texts: MessagePart[] = isCaption ? [] : splitText(text).map(part => ({ ...part, files: [] }))
  const [caption = { text: '', entities: [] }] = isCaption ? splitText(text, maxCaptionLength) : []
  const sent: MessagePart[] = groups.flatMap((group, at) => {
    if (!isFilled(group)) return []
    return [{ ...(at === 0 ? caption : { text: '', entities: [] }), files: group }]
  })
  return [...texts, ...sent]
}
