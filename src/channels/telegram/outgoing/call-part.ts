import type { Message } from '@grammyjs/types'
import type { BotApi, CallOptions } from '../bot-api/client.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import type { BotApiFile } from '../bot-api/multipart.ts'
import type { FileKind, FilePart, MessagePart, PartDeps, PartFile, TextPart } from './build-parts.ts'
import type { SendRow } from './send-queries.ts'

/** Sends one part of a message with one call. */

/** A file of a message cannot be read. */
export class FileMissing extends Error {}

export interface PartTarget {
  api: BotApi
  send: SendRow
  /** Telegram's id of the message that this one replies to. */
  replyTo: number | null
  isFirst: boolean
  isLast: boolean
  signal: AbortSignal
}

function toUpload({ storages }: PartDeps, { file }: PartFile, field: string): BotApiFile {
  return {
    field,
    filename: file.filename,
    contentType: file.content_type,
    size: file.size,
    async open() {
      const place = await storages.find(file.bucket_id)
      const content = await place?.storage.read(file.storage_key)
      if (!content) throw new FileMissing(file.filename)
      return content
    },
  }
}

const stars = [1, 2, 3, 4, 5]

/** The rating buttons. Their data contains the number of stars. */
const ratingButtons = {
  inline_keyboard: [stars.map(count => ({ text: `${count} ⭐`, callback_data: `rate:${count}` }))],
}

function commonFields({ send, replyTo, isFirst, isLast }: PartTarget) {
  const { telegram_chat_id: chat_id, topic_id, buttons } = send
  return {
    chat_id,
    ...(topic_id > 0 && { message_thread_id: topic_id }),
    ...(isFirst &&
      replyTo !== null && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
    ...(isLast && buttons === 'rating' && { reply_markup: ratingButtons }),
  }
}

const sendText = (target: PartTarget, { text, entities }: TextPart): Promise<Message> =>
  target.api.call(
    'sendMessage',
    { ...commonFields(target), text, ...(entities.length && { entities }) },
    { signal: target.signal },
  )

function sendFile(deps: PartDeps, target: PartTarget, { files, text, entities }: FilePart): Promise<Message> {
  const { api, signal } = target
  const [one] = files
  const caption = text ? { caption: text, ...(entities.length && { caption_entities: entities }) } : {}
  const fields = { ...commonFields(target), ...caption }
  const options: CallOptions = { signal, files: [toUpload(deps, one, one.kind)] }
  const attached = `attach://${one.kind}`
  const sends: Record<FileKind, () => Promise<Message>> = {
    photo: () => api.call('sendPhoto', { ...fields, photo: attached }, options),
    video: () => api.call('sendVideo', { ...fields, video: attached, supports_streaming: true }, options),
    audio: () => api.call('sendAudio', { ...fields, audio: attached }, options),
    document: () => api.call('sendDocument', { ...fields, document: attached }, options),
    animation: () => api.call('sendAnimation', { ...fields, animation: attached }, options),
  }
  return sends[one.kind]()
}

function sendAlbum(
  deps: PartDeps,
  target: PartTarget,
  { files, text, entities }: FilePart,
): Promise<Message[]> {
  const caption = text ? { caption: text, ...(entities.length && { caption_entities: entities }) } : {}
  const captionOf = (at: number) => (at === 0 ? caption : {})
  const options: CallOptions = {
    signal: target.signal,
    files: files.map((file, at) => toUpload(deps, file, `file${at}`)),
  }
  const fields = commonFields(target)
  const ofKind = <K extends FileKind>(kind: K) =>
    files.map((_, at) => ({ type: kind, media: `attach://file${at}`, ...captionOf(at) }))
  const [first] = files
  if (first.kind === 'audio')
    return target.api.call('sendMediaGroup', { ...fields, media: ofKind('audio') }, options)
  if (first.kind === 'document')
    return target.api.call('sendMediaGroup', { ...fields, media: ofKind('document') }, options)
  const visual = files.map(({ kind }, at) => {
    const item = { media: `attach://file${at}`, ...captionOf(at) }
    return kind === 'video' ? { type: 'video' as const, ...item } : { type: 'photo' as const, ...item }
  })
  return target.api.call('sendMediaGroup', { ...fields, media: visual }, options)
}

const sendFiles = async (deps: PartDeps, target: PartTarget, part: FilePart): Promise<Message[]> =>
  part.files.length > 1 ? sendAlbum(deps, target, part) : [await sendFile(deps, target, part)]

/** Whether Telegram refused a picture because of its type, size or dimensions. */
const isRefusedPicture = (error: unknown): boolean =>
  error instanceof BotApiRefusal &&
  error.code === 400 &&
  /PHOTO_|IMAGE_PROCESS_FAILED|too big for a photo/.test(error.message)

function toDocuments({ files: [first, ...others], ...text }: FilePart): FilePart {
  const convert = ({ file }: PartFile): PartFile => ({ kind: 'document', file })
  return { ...text, files: [convert(first), ...others.map(convert)] }
}

/** Returns the messages that the part became in Telegram. Pictures that Telegram refuses as photos are sent as documents. */
export async function callPart(deps: PartDeps, target: PartTarget, part: MessagePart): Promise<Message[]> {
  if (isText(part)) return [await sendText(target, part)]
  try {
    return await sendFiles(deps, target, part)
  } catch (error) {
    if (isRefusedPicture(error) && part.files.some(({ kind }) => kind === 'photo'))
      return sendFiles(deps, target, toDocuments(part))
    throw error
  }
}

const isText = (part: MessagePart): part is TextPart => part.files.length === 0

/** Edits the text or the caption of a part that was sent. Telegram refuses an edit that changes nothing. */
export async function editPart(
  { api, send, signal, isLast }: PartTarget,
  part: MessagePart,
  id: number,
): Promise<void> {
  const { text, entities } = part
  const fields = {
    chat_id: send.telegram_chat_id,
    message_id: id,
    ...(isLast && send.buttons === 'rating' && { reply_markup: ratingButtons }),
  }
  if (isText(part))
    await api.call('editMessageText', { ...fields, text, ...(entities.length && { entities }) }, { signal })
  else
    await api.call(
      'editMessageCaption',
      { ...fields, caption: text, ...(entities.length && { caption_entities: entities }) },
      { signal },
    )
}
