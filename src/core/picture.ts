import { refuse } from './errors.ts'

/** Small pictures that are stored in the database. */

export interface Picture {
  content_type: string
  bytes: Buffer
}

const maxPictureBytes = 256 * 1024
const types = ['image/png', 'image/jpeg', 'image/webp']

/** Checks the bytes of a picture, which determine its type. */
export async function readPicture(bytes: Buffer): Promise<Picture> {
  const { fileTypeFromBuffer } = await import('file-type')
  const content_type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
  if (!content_type || !types.includes(content_type)) throw refuse('content', 'not_a_picture')
  if (bytes.length > maxPictureBytes)
    throw refuse('content', 'picture_too_large', { max_bytes: maxPictureBytes })
  return { content_type, bytes }
}

/** Pictures come from people, so a browser must not run them as a page. */
export const pictureHeaders = ({ content_type }: Pick<Picture, 'content_type'>) => ({
  'content-type': content_type,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
})
