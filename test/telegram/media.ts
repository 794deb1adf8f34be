import type { Message } from '@grammyjs/types'
import sharp from 'sharp'
import { badRequest, limits } from './refusals.ts'
import type { UploadedFile } from './request.ts'
import { addFile, type StoredFile, type World } from './world.ts'

/** The files of messages. */

export interface Media {
  kind: 'photo' | 'document' | 'video' | 'audio' | 'voice' | 'animation' | 'video_note' | 'sticker'
  /** A file_id, or attach://NAME for an uploaded file. */
  value: unknown
}

/** "Use attach://<file_attach_name> to upload a new one using multipart/form-data under <file_attach_name> name." */
function findUpload(
  value: unknown,
  files: Map<string, UploadedFile>,
  field: string,
): UploadedFile | undefined {
  if (value === undefined) return files.get(field)
  return typeof value === 'string' && value.startsWith('attach://') ? files.get(value.slice(9)) : undefined
}

function requireSize({ content }: UploadedFile, kind: Media['kind']): void {
  const max = kind === 'photo' ? limits.photoBytes.max : limits.fileBytes.max
  if (content.length === 0) throw badRequest('file must be non-empty')
  if (content.length <= max) return
  throw badRequest(
    kind === 'photo'
      ? `file of size ${content.length} bytes is too big for a photo; the maximum size is ${max} bytes`
      : 'file is too big',
  )
}

/** "The photo's width and height must not exceed 10000 in total. Width and height ratio must be at most 20." */
async function sizeOf(content: Buffer): Promise<{ width: number; height: number }> {
  const found = await sharp(content)
    .metadata()
    .catch(() => null)
  const { width = 0, height = 0 } = found ?? {}
  if (!found || width === 0 || height === 0) throw badRequest('IMAGE_PROCESS_FAILED')
  if (width + height > limits.photoSides.max || Math.max(width / height, height / width) > 20)
    throw badRequest('PHOTO_INVALID_DIMENSIONS')
  return { width, height }
}

const common = ({ id, content }: StoredFile) => ({
  file_id: id,
  file_unique_id: id.slice(-8),
  file_size: content.length,
})

async function describe(kind: Media['kind'], file: StoredFile): Promise<Partial<Message>> {
  const named = { ...common(file), file_name: file.name, mime_type: file.type }
  const moving = { width: 320, height: 240, duration: 3 }
  if (kind === 'photo') return { photo: [{ ...common(file), ...(await sizeOf(file.content)) }] }
  if (kind === 'document') return { document: named }
  if (kind === 'video') return { video: { ...named, ...moving } }
  if (kind === 'audio') return { audio: { ...named, duration: 3 } }
  if (kind === 'voice') return { voice: { ...common(file), duration: 3, mime_type: file.type } }
  if (kind === 'animation') return { animation: { ...named, ...moving }, document: named }
  if (kind === 'video_note') return { video_note: { ...common(file), length: 240, duration: 3 } }
  const sticker = { ...common(file), type: 'regular' as const, width: 512, height: 512, emoji: '👍' }
  return { sticker: { ...sticker, is_animated: false, is_video: false } }
}

/** The content of a message whose file was uploaded or is identified by its file_id. */
export async function readMedia(
  world: World,
  { kind, value }: Media,
  files: Map<string, UploadedFile>,
  field: string,
): Promise<Partial<Message>> {
  const upload = findUpload(value, files, field)
  if (upload) {
    requireSize(upload, kind)
    return describe(kind, addFile(world, upload.name, upload.type, upload.content))
  }
  const known = world.files.get(String(value))
  if (!known) throw badRequest('wrong file identifier/HTTP URL specified')
  return describe(kind, known)
}

/** The content of a message in which a person sends a file. */
export const attach = (world: World, kind: Media['kind'], upload: UploadedFile): Promise<Partial<Message>> =>
  describe(kind, addFile(world, upload.name, upload.type, upload.content))
