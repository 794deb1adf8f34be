/** Conditions as in the URL and in saved views: groups of groups, down to comparisons of one field. */

export type Plain = string | number | boolean | null
export type Value = Plain | Plain[]

export interface Leaf {
  field: string
  op: string
  value?: Value
}

export const joins = ['all', 'any', 'none'] as const
export type Join = (typeof joins)[number]

/** Has exactly one of the three. */
export type Group = Partial<Record<Join, Condition[]>>
export type Condition = Leaf | Group

export const maxLevels = 4
export const maxLeaves = 50

export const isLeaf = (condition: Condition): condition is Leaf => 'field' in condition

export const joinOf = (group: Group): Join => joins.find(join => group[join]) ?? 'all'
export const itemsOf = (group: Group | undefined): Condition[] => group?.[joinOf(group)] ?? []
export const makeGroup = (join: Join, items: Condition[]): Group => ({ [join]: items })

export const countLeaves = (condition: Condition): number =>
  isLeaf(condition) ? 1 : itemsOf(condition).reduce((sum, one) => sum + countLeaves(one), 0)

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const isPlain = (given: unknown): given is Plain =>
  given === null || ['string', 'number', 'boolean'].includes(typeof given)

const isValue = (given: unknown): given is Value =>
  Array.isArray(given) ? given.every(isPlain) : isPlain(given)

/** Leaves out everything in a URL that is not a condition. */
function readCondition(given: unknown, level: number): Condition[] {
  if (!isObject(given)) return []
  const { field, op, value } = given
  if (typeof field === 'string' && typeof op === 'string')
    return value === undefined ? [{ field, op }] : isValue(value) ? [{ field, op, value }] : []
  const join = joins.find(one => Array.isArray(given[one]))
  const items = join && given[join]
  if (!join || !Array.isArray(items) || level > maxLevels) return []
  return [
    makeGroup(
      join,
      items.flatMap(item => readCondition(item, level + 1)),
    ),
  ]
}

/** The group in a URL or in a saved view; a single comparison becomes a group. */
export function readGroup(given: unknown): Group | undefined {
  const [condition] = readCondition(given, 1)
  if (!condition) return
  return isLeaf(condition) ? { all: [condition] } : condition
}

/** Adds conditions that must hold too. */
export function withAll(leaves: Leaf[], group: Group | undefined): Group | undefined {
  if (leaves.length === 0) return group
  const items = itemsOf(group)
  if (!group || items.length === 0) return { all: leaves }
  return joinOf(group) === 'all' ? { all: [...leaves, ...items] } : { all: [...leaves, group] }
}
