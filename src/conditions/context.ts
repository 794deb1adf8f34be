import type { Sql } from '../core/db/db.ts'
import { InvalidRequest } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { keysOf } from '../core/objects.ts'
import { currentTime } from '../core/time.ts'
import { listFields } from '../custom-fields/custom-fields.ts'
import { findTimezone } from '../projects/projects.ts'
import { findTagNames, foldTag } from '../tags/tags.ts'
import { type CustomKinds, requireCondition } from './check.ts'
import {
  type ConditionKind,
  conditionTable,
  isCostly,
  isPlainField,
  kindOfType,
  type NamedRecord,
  printCustomName,
  readCustomName,
} from './fields.ts'
import { conditionLimits } from './limits.ts'
import { listExisting } from './queries.ts'
import type { ConditionContext } from './resolve.ts'
import type { Condition } from './schema.ts'

/** Reads what conditions refer to: custom fields, records, tags, the time zone. */

/** The comparisons of a condition. */
function listLeaves(node: Condition): Condition[] {
  const members = node.all ?? node.any ?? node.none
  return members ? members.flatMap(listLeaves) : [node]
}

/** Whether counting the matching tickets may take long. */
export const isCostlyCondition = (condition: Condition): boolean =>
  listLeaves(condition).some(({ field, op }) => isCostly(field!, op!))

/** The custom fields of tickets and contacts, by their names in conditions. */
async function listCustomKinds(sql: Sql, projectId: string): Promise<CustomKinds> {
  const kinds = new Map<string, ConditionKind>()
  for (const { record, key, type } of await listFields(sql, projectId)) {
    if (record === 'organization') continue
    kinds.set(printCustomName(record, key), kindOfType[type])
  }
  return kinds
}

const tooLong = (loc: (string | number)[]): InvalidRequest => {
  const msg = `A condition should have at most ${conditionLimits.characters} characters`
  return new InvalidRequest([{ type: 'too_long', loc, msg, input: null }])
}

/** The value as a condition. Throws every fault, with its place. */
export async function getCondition(
  sql: Sql,
  projectId: string,
  value: unknown,
  loc: (string | number)[],
): Promise<Condition> {
  const text = JSON.stringify(value)
  if (text.length > conditionLimits.characters) throw tooLong(loc)
  const isCustom = text.includes('custom_fields.')
  const kinds = isCustom ? await listCustomKinds(sql, projectId) : new Map()
  requireCondition(value, loc, kinds)
  return value
}

const textsIn = (leaves: Condition[]): string[] => [
  ...new Set(leaves.flatMap(({ value }) => [value].flat().filter(one => typeof one === 'string'))),
]

const fieldsNaming = (record: NamedRecord): string[] =>
  keysOf(conditionTable).filter(name => conditionTable[name].names === record)

async function findDeleted(sql: Sql, projectId: string, leaves: Condition[]): Promise<Set<string>> {
  const records: NamedRecord[] = ['department', 'operator', 'contact', 'organization']
  const each = records.map(async record => {
    const naming = fieldsNaming(record)
    const named = textsIn(leaves.filter(({ field }) => naming.includes(field!))).filter(id => id !== 'me')
    const ids = named.filter(isId)
    const existing = new Set(ids.length ? await listExisting(sql, projectId, record, ids) : [])
    return named.filter(id => !existing.has(id))
  })
  return new Set((await Promise.all(each)).flat())
}

async function findTags(sql: Sql, projectId: string, leaves: Condition[]): Promise<Map<string, string[]>> {
  const asked = textsIn(
    leaves.filter(({ field }) => field && isPlainField(field) && conditionTable[field].kind === 'tags'),
  )
  const found = new Map<string, string[]>()
  if (!asked.length) return found
  for (const name of await findTagNames(sql, projectId, asked))
    found.set(foldTag(name), [...(found.get(foldTag(name)) ?? []), name])
  return found
}

/** Everything that these conditions need in order to be resolved. */
export async function readConditionContext(
  sql: Sql,
  projectId: string,
  conditions: Condition[],
  viewerId: string | null,
): Promise<ConditionContext> {
  const leaves = conditions.flatMap(listLeaves)
  const [customKinds, deleted, tags, zone] = await Promise.all([
    leaves.some(({ field }) => readCustomName(field!) !== null) ? listCustomKinds(sql, projectId) : new Map(),
    findDeleted(sql, projectId, leaves),
    findTags(sql, projectId, leaves),
    findTimezone(sql, projectId),
  ])
  return { customKinds, deleted, tags, zone, viewerId, at: currentTime() }
}
