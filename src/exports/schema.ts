import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'

export const exported = Type.Object({
  id,
  has_files: Type.Boolean(),
  status: oneOf(['waiting', 'running', 'done', 'failed']),
  step: nullable(Type.String({ description: 'What is being written at the moment' })),
  rows_done: Type.Integer(),
  rows_total: nullable(Type.Integer({ description: 'Number of rows, counted at the start' })),
  size: nullable(Type.Integer()),
  reason: nullable(oneOf(['storage_full', 'not_written'], { description: 'Why the last attempt failed' })),
  is_own: Type.Boolean({
    description: 'Whether you requested it. Only the person who requested an export can download it',
  }),
  created_at: time,
  finished_at: nullable(time),
  expires_at: nullable(time),
})
export type Exported = Static<typeof exported>

export const exportList = Type.Object({ items: Type.Array(exported) })
export const newExport = Type.Object({ has_files: Type.Optional(Type.Boolean({ default: false })) })
