import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'

export const exported = Type.Object({
  id,
  has_files: Type.Boolean(),
  status: oneOf(['waiting', 'running', 'done', 'failed']),
  step: nullable(Type.String({ description: 'What is being written' })),
  rows_done: Type.Integer(),
  rows_total: nullable(Type.Integer({ description: 'As they were counted at the beginning' })),
  size: nullable(Type.Integer()),
  reason: nullable(Type.String()),
  is_own: Type.Boolean({ description: 'Whoever asked for it may download it' }),
  created_at: time,
  finished_at: nullable(time),
  expires_at: nullable(time),
})
export type Exported = Static<typeof exported>

export const exportList = Type.Object({ items: Type.Array(exported) })
export const newExport = Type.Object({ has_files: Type.Optional(Type.Boolean({ default: false })) })
