import { customKeyOf } from '../../events/field-changes.ts'
import type { ChangeRow } from './history-queries.ts'

/** Which changes can be undone. */

/** They change together, so they are restored together or not at all. */
export const statusFields = [
  'status',
  'closed_at',
  'closed_by',
  'resolution_secs',
  'snoozed_until',
  'reopened_count',
] as const

export const plainFields = [
  'subject',
  'priority',
  'operator_id',
  'department_id',
  'external_id',
  'is_spam',
] as const

const restorable: readonly string[] = [...statusFields, ...plainFields, 'tags']

const isRestorable = (field: string): boolean => restorable.includes(field) || customKeyOf(field) !== null

export const obstacles = ['created', 'rated', 'estimated', 'merged', 'other_operation'] as const
export type Obstacle = (typeof obstacles)[number]

type Undoable = Pick<ChangeRow, 'type' | 'changes' | 'is_estimated'>

/** Why a change cannot be undone; null if it can. Merges, splits and moves to another contact have their own operations. */
export function findObstacle({ type, changes, is_estimated }: Undoable): Obstacle | null {
  if (is_estimated) return 'estimated'
  if (type === 'ticket.created') return 'created'
  if (type === 'ticket.rated') return 'rated'
  return Object.keys(changes).every(isRestorable) ? null : 'other_operation'
}
