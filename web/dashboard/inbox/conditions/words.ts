import { dates, printNumber } from '../../core/format.ts'
import { pageText } from '../../core/page-text.ts'
import { dateOf } from '../../core/time.ts'
import { type Condition, isLeaf, itemsOf, joinOf, type Leaf, type Plain, type Value } from './condition.ts'
import type { FieldInfo } from './fields.ts'
import type { useNames } from './names.ts'

/** Conditions in words. */

const isDay = /^\d{4}-\d\d-\d\d$/

/** A day, or a moment as its day. */
const dayOf = (value: string): string =>
  dates({ dateStyle: 'medium' }).format(isDay.test(value) ? new Date(`${value}T00:00`) : dateOf(value))

const duration = /^P(?:(\d+)([DW])|T(\d+)(H))$/
const units: Record<string, string> = { D: 'day', W: 'week', H: 'hour' }

/** The number and the unit of a duration such as `P7D`; null for those with several units. */
export function readDuration(value: unknown): { amount: number; unit: string } | null {
  const [, days, dayUnit, hours, hourUnit] = duration.exec(String(value)) ?? []
  const unit = dayUnit ?? hourUnit
  return unit ? { amount: Number(days ?? hours), unit } : null
}

export const printDuration = (amount: number, unit: string): string =>
  unit === 'H' ? `PT${amount}H` : `P${amount}${unit}`

function durationWords(value: Value | undefined): string {
  const read = readDuration(value)
  if (!read) return String(value)
  return printNumber(read.amount, { style: 'unit', unit: units[read.unit], unitDisplay: 'long' })
}

type Names = ReturnType<typeof useNames>

const operatorWord = (op: string, value: Value | undefined): string => {
  const { operators, single } = pageText.conditions
  const isSingle = !Array.isArray(value) || value.length === 1
  return (isSingle && single[op]) || (operators[op] ?? op)
}

function valueWords({ field, op, value }: Leaf, info: FieldInfo | undefined, nameOf: Names): string {
  const isTime = info?.kind === 'time' || info?.kind === 'date'
  const word = (one: Plain) => (isTime ? dayOf(String(one)) : nameOf(field, one))
  if (op === 'within_last' || op === 'older_than') return durationWords(value)
  if (Array.isArray(value) && op === 'between')
    return pageText.conditions.and(word(value[0] ?? null), word(value[1] ?? null))
  return Array.isArray(value) ? value.map(word).join(', ') : word(value ?? null)
}

/** "Status is any of Open, Pending" */
export function describeLeaf(leaf: Leaf, fields: FieldInfo[], nameOf: Names): string {
  const { op, value } = leaf
  const info = fields.find(({ field }) => field === leaf.field)
  const label = info?.label ?? leaf.field.replace(/^(contact\.)?custom_fields\./, '')
  const { flag, yes, no, ago, operators } = pageText.conditions
  if (typeof value === 'boolean') return flag(label, value ? yes : no)
  if (op === 'empty' || op === 'not_empty') return `${label} ${operators[op]}`
  const words = valueWords(leaf, info, nameOf)
  return op === 'older_than' ? `${label} ${ago(words)}` : `${label} ${operatorWord(op, value)} ${words}`
}

export function describe(condition: Condition, fields: FieldInfo[], nameOf: Names): string {
  if (isLeaf(condition)) return describeLeaf(condition, fields, nameOf)
  const join = joinOf(condition)
  const parts = itemsOf(condition).map(one =>
    isLeaf(one) ? describeLeaf(one, fields, nameOf) : `(${describe(one, fields, nameOf)})`,
  )
  const words = parts.join(pageText.conditions.joined[join])
  return join === 'none' ? pageText.conditions.none(words) : words
}
