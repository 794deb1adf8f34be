import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'
import { maxFileNameLength } from './limits.ts'

export const mediaKinds = ['image', 'audio', 'video', 'file'] as const
export type MediaKind = (typeof mediaKinds)[number]

const maybeText = nullable(Type.String())

const described = {
  id,
  filename: Type.String({
    description: 'The last part of the path that was sent, without control characters; at most 255 bytes',
  }),
  content_type: Type.String({ description: 'By the first bytes of the file, whatever was claimed' }),
  size: Type.Integer(),
  kind: oneOf(mediaKinds),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  duration: nullable(Type.Number({ description: 'Seconds; null, because sound and films are not opened' })),
}
const addresses = {
  url: Type.String(),
  thumb_url: nullable(Type.String({ description: 'A picture of at most 320 × 320, as WebP' })),
}

/** A file as a message shows it. */
export const mediaItem = Type.Object({ ...described, ...addresses })
export type MediaItem = Static<typeof mediaItem>

/** The whole record. */
export const media = Type.Object({
  ...described,
  sha256: Type.String(),
  ...addresses,
  message_id: nullable(id),
  created_at: time,
  expires_at: nullable(Type.String({ description: 'When it is deleted unless a message has it by then' })),
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
    Type.String({
      maxLength: maxFileNameLength,
      description: 'In place of the name that the part `file` has',
    }),
  ),
})

export const mediaQuery = Type.Object({
  inline: Type.Optional(
    Type.Boolean({ default: false, description: 'Shows images, sound, films and PDF in place' }),
  ),
})

export const linkQuery = Type.Object({
  ...mediaQuery.properties,
  exp: Type.Optional(maybeText),
  sig: Type.Optional(maybeText),
})
export type LinkQuery = Static<typeof linkQuery>
