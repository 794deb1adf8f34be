import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'
import { mediaItem } from '../media/schema.ts'
import { content, formats, mediaIds } from '../messages/schema.ts'

export const draftInput = Type.Object({
  content,
  content_format: Type.Optional(oneOf(formats, { default: 'markdown' })),
  is_internal: Type.Optional(Type.Boolean({ default: false })),
  media_ids: Type.Optional(mediaIds),
  mentions: Type.Optional(Type.Array(Type.String(), { maxItems: 50 })),
  version: Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description: 'The version on which the change is based; 0 if there was no draft',
  }),
  force: Type.Optional(
    Type.Boolean({ default: false, description: 'Overwrites what another tab has written' }),
  ),
})
export type DraftInput = Static<typeof draftInput>

const fields = {
  content: Type.String(),
  content_format: oneOf(formats),
  is_internal: Type.Boolean(),
  media: Type.Array(mediaItem),
  mentions: Type.Array(id),
  version: Type.Integer(),
  updated_at: time,
}
export const ticketDraft = Type.Object(fields, { title: 'Draft' })
export type TicketDraft = Static<typeof ticketDraft>

export const drafts = Type.Object(
  { reply: nullable(Type.Object(fields)), note: nullable(Type.Object(fields)) },
  { title: 'Drafts' },
)
export type Drafts = Static<typeof drafts>

export const draftQuery = Type.Object({
  is_internal: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to delete the note instead of the reply' }),
  ),
})
