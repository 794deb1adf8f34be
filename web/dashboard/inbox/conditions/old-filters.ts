import type { Shape } from '../../core/answers.ts'
import { type Group, type Leaf, type Plain, readGroup, withAll } from './condition.ts'

/** Filters that links and saved views had before there were conditions, as conditions. */

export type ViewFilters = Shape<'ViewFilters'>

const listOf = (value: unknown): Plain[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string' || typeof one === 'number')

const withNull = (values: Plain[]): Plain[] => values.map(one => (one === 'none' ? null : one))

const among =
  (field: string) =>
  (value: unknown): Leaf => ({
    field,
    op: 'any_of',
    value: withNull(listOf(value)),
  })
const hasTag = (value: unknown): Leaf => ({ field: 'tags', op: 'has_any', value: listOf(value).map(String) })
const flag =
  (field: string) =>
  (value: unknown): Leaf => ({ field, op: 'is', value: value === true })
const time =
  (field: string, op: 'after' | 'before') =>
  (value: unknown): Leaf => ({
    field,
    op,
    value: String(value),
  })

/** Parameters of links to the inbox. */
const ofLinks: Record<string, (value: unknown) => Leaf> = {
  status: among('status'),
  priority: among('priority'),
  tag: hasTag,
  operator: among('operator_id'),
  channel: among('channel'),
  contact: among('contact_id'),
  organization: among('organization_id'),
  unread: flag('is_unread'),
}

/** Filters of saved views. */
const ofViews: Record<string, (value: unknown) => Leaf> = {
  status: among('status'),
  priority: among('priority'),
  channel: among('channel'),
  tag: hasTag,
  operator_id: among('operator_id'),
  department_id: among('department_id'),
  contact_id: among('contact_id'),
  organization_id: among('organization_id'),
  rating: among('rating'),
  unread: flag('is_unread'),
  is_snoozed: flag('is_snoozed'),
  created_after: time('created_at', 'after'),
  created_before: time('created_at', 'before'),
  closed_after: time('closed_at', 'after'),
  closed_before: time('closed_at', 'before'),
  rated_after: time('rated_at', 'after'),
  rated_before: time('rated_at', 'before'),
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '' && value !== null

/** For requests. In their type, groups have at most four levels. */
export const printGroup = (group: Group | undefined): ViewFilters['conditions'] =>
  group && JSON.parse(JSON.stringify(group))

export const addOldFilters = (given: Record<string, unknown>, group: Group | undefined): Group | undefined =>
  withAll(
    Object.entries(ofLinks).flatMap(([name, toLeaf]) => (isGiven(given[name]) ? [toLeaf(given[name])] : [])),
    group,
  )

export const withoutOldFilters = (given: Record<string, unknown>): Record<string, undefined> =>
  Object.fromEntries(
    Object.keys(ofLinks)
      .filter(name => name in given)
      .map(name => [name, undefined]),
  )

/** The conditions of a saved view, and those of its filters that are none. */
export function splitFilters(filters: ViewFilters | null): {
  group: Group | undefined
  rest: Omit<ViewFilters, 'conditions'>
} {
  const { conditions, ...others } = filters ?? {}
  const isOld = ([name, value]: [string, unknown]): boolean => name in ofViews && isGiven(value)
  const leaves = Object.entries(others).flatMap(([name, value]) =>
    isOld([name, value]) ? [ofViews[name]!(value)] : [],
  )
  const rest = Object.fromEntries(Object.entries(others).filter(entry => !isOld(entry)))
  return { group: withAll(leaves, readGroup(conditions)), rest }
}
