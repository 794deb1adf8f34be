import { isDeepStrictEqual } from 'node:util'
import {
  customKeyOf,
  isReplacement,
  type TagDifference,
  type TicketFieldChanges,
} from '../../events/field-changes.ts'
import type { TicketFields } from '../queries.ts'
import type { ChangeRow } from './history-queries.ts'
import { statusFields } from './undoable.ts'

/** Which fields of a change go back, and which stay because others have changed them since. */

export type CurrentFields = TicketFields & { tags: string[]; custom_fields: Record<string, unknown> }

export interface KeptField {
  field: string
  /** The newest later change of the field; null if it was changed without a record. */
  change: ChangeRow | null
}

export interface UndoPlan {
  fields: TicketFields
  undone: string[]
  kept: KeptField[]
}

const isStatusField = (field: string): boolean => statusFields.some(one => one === field)

/** Without changes that were undone, and without the changes that undid them. */
function listEffective(later: ChangeRow[]): ChangeRow[] {
  const ids = new Set(later.map(({ id }) => id))
  return later.filter(({ undone_at, undoes }) => undone_at === null && !(undoes !== null && ids.has(undoes)))
}

const newestOf = (later: ChangeRow[], touches: (changes: TicketFieldChanges) => boolean): ChangeRow | null =>
  later.findLast(({ changes }) => touches(changes)) ?? null

const valueIn = (current: CurrentFields, field: string): unknown => {
  const key = customKeyOf(field)
  return (
    (key === null
      ? Object.entries(current).find(([name]) => name === field)?.[1]
      : current.custom_fields[key]) ?? null
  )
}

interface Sides {
  current: CurrentFields
  /** Oldest first. */
  later: ChangeRow[]
  effective: ChangeRow[]
}

const isUnchanged = ({ current, effective }: Sides, field: string, to: unknown): boolean =>
  !newestOf(effective, changes => field in changes) && isDeepStrictEqual(valueIn(current, field), to)

/** Fields that go back together. */
function planTogether(sides: Sides, changes: TicketFieldChanges, fields: string[], plan: UndoPlan): void {
  const values = fields.flatMap(field => {
    const change = changes[field]!
    return isReplacement(change) ? [{ field, from: change[0], to: change[1] }] : []
  })
  if (values.every(({ field, to }) => isUnchanged(sides, field, to))) {
    for (const { field, from } of values) restoreValue(plan, sides.current, field, from)
    plan.undone.push(...fields)
    return
  }
  const change = newestOf(sides.later, later => fields.some(field => field in later))
  plan.kept.push(...fields.map(field => ({ field, change })))
}

function restoreValue({ fields }: UndoPlan, current: CurrentFields, field: string, from: unknown): void {
  const key = customKeyOf(field)
  if (key === null) {
    Object.assign(fields, { [field]: from })
    return
  }
  const custom: Record<string, unknown> = { ...(fields.custom_fields ?? current.custom_fields) }
  if (from === null) delete custom[key]
  else custom[key] = from
  fields.custom_fields = custom
}

const touchesTag =
  (tag: string) =>
  (changes: TicketFieldChanges): boolean => {
    const { tags } = changes
    return tags !== undefined && !isReplacement(tags) && [...tags.added, ...tags.removed].includes(tag)
  }

/** Each tag goes back on its own. */
function planTags(
  { current, later, effective }: Sides,
  { added, removed }: TagDifference,
  plan: UndoPlan,
): void {
  const isFree = (tag: string) => !newestOf(effective, touchesTag(tag))
  const toRemove = added.filter(tag => isFree(tag) && current.tags.includes(tag))
  const toAdd = removed.filter(tag => isFree(tag) && !current.tags.includes(tag))
  const staying = [...added, ...removed].filter(tag => !toRemove.includes(tag) && !toAdd.includes(tag))
  if (toRemove.length || toAdd.length) {
    plan.fields.tags = [...current.tags.filter(tag => !toRemove.includes(tag)), ...toAdd]
    plan.undone.push('tags')
  }
  if (!staying.length) return
  const change = newestOf(later, changes => staying.some(tag => touchesTag(tag)(changes)))
  plan.kept.push({ field: 'tags', change })
}

/** `later`: all later changes of the ticket, oldest first. */
export function planUndo(
  current: CurrentFields,
  { changes }: Pick<ChangeRow, 'changes'>,
  later: ChangeRow[],
): UndoPlan {
  const plan: UndoPlan = { fields: {}, undone: [], kept: [] }
  const sides = { current, later, effective: listEffective(later) }
  const together = Object.keys(changes).filter(isStatusField)
  if (together.length) planTogether(sides, changes, together, plan)
  for (const [field, change] of Object.entries(changes)) {
    if (isStatusField(field)) continue
    if (isReplacement(change)) planTogether(sides, changes, [field], plan)
    else planTags(sides, change, plan)
  }
  return plan
}
