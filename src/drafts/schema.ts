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

const preview = Type.String({ description: 'Plain text, at most 140 characters' })
export const savedDraft = Type.Object({ ...fields, preview }, { title: 'SavedDraft' })
export type SavedDraft = Static<typeof savedDraft>

export const drafts = Type.Object(
  { reply: nullable(ticketDraft), note: nullable(ticketDraft) },
  { title: 'Drafts' },
)
export type Drafts = Static<typeof drafts>

/** A reply that a program prepares for an operator. */
export const preparedDraftInput = Type.Object(
  {
    content,
    content_format: Type.Optional(oneOf(formats, { default: 'markdown' })),
    media_ids: Type.Optional(mediaIds),
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_000_000_000,
        default: 0,
        description: 'The version that the change replaces; 0 if the operator has no draft for the ticket',
      }),
    ),
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Overwrites what the operator or another program has written',
      }),
    ),
  },
  { title: 'ReplyDraftInput' },
)
export type PreparedDraftInput = Static<typeof preparedDraftInput>

const { is_internal: _, mentions: __, ...replyFields } = fields
export const replyDraft = Type.Object({ operator_id: id, ...replyFields }, { title: 'ReplyDraft' })
export type ReplyDraft = Static<typeof replyDraft>
export const replyDraftList = Type.Object({ items: Type.Array(replyDraft) })

export const draftQuery = Type.Object({
  is_internal: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to delete the note instead of the reply' }),
  ),
})
