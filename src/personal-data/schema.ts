import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'

export const deletionKinds = ['ticket', 'contact'] as const

export const deletionState = oneOf(['running', 'done'])

export const dataDeletion = Type.Object({
  id,
  kind: oneOf(deletionKinds),
  record_id: Type.String({ format: 'uuid', description: 'The id of the deleted ticket or contact' }),
  state: deletionState,
  tickets: Type.Integer({ description: 'Tickets deleted so far' }),
  messages: Type.Integer({ description: 'Messages deleted so far' }),
  files: Type.Integer({ description: 'Files deleted so far' }),
  mails: Type.Integer({ description: 'Original emails deleted so far' }),
  messages_total: Type.Integer({ description: 'Messages at the beginning of the deletion' }),
  created_at: time,
  finished_at: nullable(time),
})
export type DataDeletion = Static<typeof dataDeletion>

export const dataDeletionList = Type.Object({ items: Type.Array(dataDeletion), has_more: Type.Boolean() })

export const dataDeletionQuery = Type.Object({
  after: Type.Optional(
    Type.String({ description: 'The id of the last deletion that you have read', maxLength: 100 }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
})
export type DataDeletionQuery = Static<typeof dataDeletionQuery>

export const deletionPreview = Type.Object({
  tickets: Type.Integer(),
  messages: Type.Integer(),
  files: Type.Integer(),
  mails: Type.Integer({ description: 'Original emails that the server stores' }),
  exports: Type.Integer({ description: 'Finished exports of the whole project, which are deleted too' }),
})
export type DeletionPreview = Static<typeof deletionPreview>
