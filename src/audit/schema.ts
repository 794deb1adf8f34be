import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, paging, text, time } from '../core/schema.ts'

export const authors = ['operator', 'api', 'cli', 'system'] as const

export const auditEntry = Type.Object({
  id,
  author_type: oneOf(authors),
  author_id: nullable(id),
  author_name: nullable(Type.String()),
  action: text(64, { examples: ['key.created'] }),
  target_type: text(64, { examples: ['key'] }),
  target_id: nullable(Type.String()),
  target_name: nullable(Type.String()),
  detail: Type.Record(Type.String(), Type.Unknown()),
  created_at: time,
})
export type AuditEntry = Static<typeof auditEntry>

export const auditList = list(auditEntry)

export const auditQuery = Type.Object({
  ...paging,
  action: Type.Optional(Type.String({ description: 'The whole action, or only its noun, such as `key`' })),
  author_id: Type.Optional(id),
  target_id: Type.Optional(Type.String()),
  created_after: Type.Optional(Type.String({ format: 'time' })),
  created_before: Type.Optional(Type.String({ format: 'time' })),
})
export type AuditQuery = Static<typeof auditQuery>
