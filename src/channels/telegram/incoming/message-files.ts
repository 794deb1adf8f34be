import type { Message } from '@grammyjs/types'

/** The files of a received message. */

export interface TelegramFile {
  file_id: string
  name: string
  /** Null if Telegram does not provide it. */
  size: number | null
}

interface Given {
  file_id: string
  file_size?: number
  file_name?: string
}

const toFile = ({ file_id, file_size, file_name }: Given, name: string): TelegramFile => ({
  file_id,
  name: file_name || name,
  size: file_size ?? null,
})

const stickerName = ({ is_animated, is_video }: NonNullable<Message['sticker']>): string =>
  is_animated ? 'sticker.tgs' : is_video ? 'sticker.webm' : 'sticker.webp'

function songName({ performer, title }: NonNullable<Message['audio']>): string {
  const name = [performer, title].filter(Boolean).join(' - ')
  return `${name || 'audio'}.mp3`
}

/** Telegram sends a photo in several sizes, with the largest last. An animation is also a document. */
export function listTelegramFiles(message: Message): TelegramFile[] {
  const { photo, animation, document, video, video_note, voice, audio, sticker, message_id } = message
  const largest = photo?.at(-1)
  if (largest) return [toFile(largest, `photo-${message_id}.jpg`)]
  if (animation) return [toFile(animation, 'animation.mp4')]
  if (document) return [toFile(document, 'document')]
  if (video) return [toFile(video, `video-${message_id}.mp4`)]
  if (video_note) return [toFile(video_note, 'video-note.mp4')]
  if (voice) return [toFile(voice, 'voice.ogg')]
  if (audio) return [toFile(audio, songName(audio))]
  return sticker ? [toFile(sticker, stickerName(sticker))] : []
}
