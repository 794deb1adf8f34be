import { InvalidRequest } from '../core/errors.ts'
import { isOneOf, isRecord } from '../core/objects.ts'
import {
  type ConditionKind,
  conditionOperators,
  conditionTable,
  isPlainField,
  operatorsOf,
  readCustomName,
  type ValueShape,
} from './fields.ts'
import { conditionLimits } from './limits.ts'
import type { Condition } from './schema.ts'
import { findValueFault } from './values.ts'

/** Checks that a value is a condition, and reports each fault with its place. */

type Place = (string | number)[]

/** The kind of a custom field, by its name in conditions; undefined if the project does not have the field. */
export type CustomKinds = ReadonlyMap<string, ConditionKind>

interface Checking {
  customKinds: CustomKinds
  leaves: number
  groups: number
  problems: { type: string; loc: Place; msg: string; input: unknown }[]
}

const groupNames = ['all', 'any', 'none'] as const

const { levels: maxLevels, leaves: maxLeaves } = conditionLimits

const report = (checking: Checking, type: string, loc: Place, msg: string, input: unknown): void => {
  checking.problems.push({ type, loc, msg, input })
}

/** The shapes that the operator's value may have. A custom field that the project does not have may be of any kind. */
function shapesOf({ customKinds }: Checking, field: string): Map<string, ValueShape[]> {
  const kind = isPlainField(field) ? conditionTable[field].kind : customKinds.get(field)
  const tables: Record<string, ValueShape>[] = kind ? [operatorsOf[kind]] : Object.values(operatorsOf)
  const shapes = new Map<string, ValueShape[]>()
  for (const [op, shape] of tables.flatMap(table => Object.entries(table)))
    shapes.set(op, [...(shapes.get(op) ?? []), shape])
  return shapes
}

function checkValue(checking: Checking, leaf: Record<string, unknown>, field: string, loc: Place): void {
  const { op, value } = leaf
  const shapes = shapesOf(checking, field)
  const accepted = typeof op === 'string' ? shapes.get(op) : undefined
  if (!accepted) {
    const known = conditionOperators.filter(name => shapes.has(name))
    report(checking, 'enum', [...loc, 'op'], `Input should be one of ${known.join(', ')}`, op)
    return
  }
  const values = isPlainField(field) ? conditionTable[field].values : undefined
  const faults = accepted.map(shape => findValueFault(shape, value, values))
  if (!faults.includes(null)) report(checking, 'value_error', [...loc, 'value'], faults[0]!, value)
}

function checkLeaf(checking: Checking, leaf: Record<string, unknown>, loc: Place): void {
  const { field } = leaf
  checking.leaves++
  if (typeof field !== 'string' || !(isPlainField(field) || readCustomName(field)))
    report(
      checking,
      'enum',
      [...loc, 'field'],
      'Input should be a field that GET /conditions/fields lists',
      field,
    )
  else checkValue(checking, leaf, field, loc)
}

function checkGroup(checking: Checking, members: unknown, loc: Place, level: number): void {
  checking.groups++
  if (!Array.isArray(members)) report(checking, 'list_type', loc, 'Input should be a valid list', members)
  else if (level > maxLevels)
    report(checking, 'too_deep', loc, `Groups should nest at most ${maxLevels} levels`, null)
  else for (const [at, member] of members.entries()) checkNode(checking, member, [...loc, at], level)
}

const isTooLong = ({ leaves, groups }: Checking): boolean => leaves > maxLeaves || groups > maxLeaves

const listGroups = (node: Record<string, unknown>) => groupNames.filter(name => node[name] !== undefined)

function checkRecord(checking: Checking, node: Record<string, unknown>, loc: Place, level: number): void {
  const [group] = listGroups(node)
  const known: readonly string[] = group ? [group] : ['field', 'op', 'value']
  for (const key of Object.keys(node).filter(name => !isOneOf(name, known)))
    report(checking, 'extra_forbidden', [...loc, key], 'Extra inputs are not permitted', node[key])
  if (group) checkGroup(checking, node[group], [...loc, group], level + 1)
  else checkLeaf(checking, node, loc)
}

function checkNode(checking: Checking, node: unknown, loc: Place, level: number): void {
  if (isTooLong(checking)) return
  if (!isRecord(node)) report(checking, 'dict_type', loc, 'Input should be a valid object', node)
  else if (listGroups(node).length + (node.field === undefined ? 0 : 1) === 1)
    checkRecord(checking, node, loc, level)
  else report(checking, 'value_error', loc, 'Input should have exactly one of all, any, none and field', node)
}

/** Whether the value is a condition; throws the faults otherwise. */
export function requireCondition(
  value: unknown,
  loc: Place,
  customKinds: CustomKinds,
): asserts value is Condition {
  const checking: Checking = { customKinds, leaves: 0, groups: 0, problems: [] }
  checkNode(checking, value, loc, 0)
  if (isTooLong(checking))
    report(
      checking,
      'too_long',
      loc,
      `A condition should have at most ${maxLeaves} comparisons and groups`,
      null,
    )
  if (checking.problems.length) throw new InvalidRequest(checking.problems)
}

/** Parses the query parameter. */
export function parseConditionText(text: string, loc: Place): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidRequest([{ type: 'json_invalid', loc, msg: 'Input should be valid JSON', input: text }])
  }
}
