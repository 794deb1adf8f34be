import { isUtf8 } from 'node:buffer'
import type { MediaKind } from './schema.ts'

/** Detects the type of a file from its bytes. */

/** The number of bytes that are inspected. */
export const headLength = 16_384

export const unknownType = 'application/octet-stream'

/** The head may end in the middle of a character. */
const isText = (head: Buffer, isWhole: boolean): boolean =>
  !head.includes(0) && [0, 1, 2, 3].some(cut => isUtf8(head.subarray(0, head.length - (isWhole ? 0 : cut))))

export async function sniffType(head: Buffer, isWhole: boolean): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? (isText(head, isWhole) ? 'text/plain' : unknownType)
}

export function kindOf(type: string): MediaKind {
  if (pictures.has(type)) return notDisplayed.has(type) ? 'file' : 'image'
  const kind = type.split('/')[0]
  return kind === 'audio' || kind === 'video' ? kind : 'file'
}

const pictures = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tiff', 'apng', 'jxl'].map(
    name => `image/${name}`,
  ),
)

/** Image types that Chromium and Firefox do not display. */
const notDisplayed = new Set(['heic', 'heif', 'tiff', 'jxl'].map(name => `image/${name}`))

const harmlessTypes =
  /^(?:(?:audio|video)\/[\w.+-]+|text\/plain|application\/(?:pdf|zip|gzip|rtf|msword|epub\+zip|ogg|x-(?:7z|rar|tar|bzip2)[\w-]*|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-excel|ms-powerpoint)[\w.]*))$/

/** The type in the header of a download. Types that a browser could run become application/octet-stream. */
export const servedType = (type: string): string =>
  pictures.has(type) || harmlessTypes.test(type) ? withCharset(type) : unknownType

const withCharset = (type: string): string => (type === 'text/plain' ? 'text/plain; charset=utf-8' : type)

/** Whether a browser may display it. */
export const isInlineType = (type: string): boolean =>
  kindOf(type) === 'image' || /^(?:audio|video)\/[\w.+-]+$|^application\/pdf$/.test(type)
