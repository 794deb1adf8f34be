import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'
import { maxFileNameLength } from './limits.ts'

export const mediaKinds = ['image', 'audio', 'video', 'file'] as const
export type MediaKind = (typeof mediaKinds)[number]

const maybeText = nullable(Type.String())

const described = {
  id,
  filename: Type.String({
    description: 'The last part of the path that was sent, without control characters, at most 255 bytes',
  }),
  content_type: Type.String({
    description: 'Detected from the first bytes of the file, whatever the request claimed',
  }),
  size: Type.Integer(),
  kind: oneOf(mediaKinds),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  duration: nullable(
    Type.Number({
      description: 'Seconds; always null, because Deskbell does not open audio and video files',
    }),
  ),
}
const addresses = {
  url: Type.String(),
  thumb_url: nullable(Type.String({ description: 'A WebP thumbnail of at most 320 × 320 pixels' })),
}

export const mediaItem = Type.Object({ ...described, ...addresses })
export type MediaItem = Static<typeof mediaItem>

export const media = Type.Object({
  ...described,
  sha256: Type.String(),
  ...addresses,
  message_id: nullable(id),
  created_at: time,
  expires_at: nullable(
    Type.String({ description: 'When the file is deleted, unless it is attached to a message by then' }),
  ),
})
export type Media = Static<typeof media>

export const uploadParts = Type.Object({
  file: Type.Unsafe<string>({
    type: 'string',
    format: 'binary',
    minLength: 1,
    description: 'Up to 209,715,200 bytes',
  }),
  filename: Type.Optional(
    Type.String({ maxLength: maxFileNameLength, description: 'Used instead of the name of the part `file`' }),
  ),
})

export const mediaQuery = Type.Object({
  inline: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Lets browsers display images, audio, video and PDF files instead of saving them',
    }),
  ),
})

export const linkQuery = Type.Object({
  ...mediaQuery.properties,
  exp: Type.Optional(maybeText),
  sig: Type.Optional(maybeText),
})
export type LinkQuery = Static<typeof linkQuery>
