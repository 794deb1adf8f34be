import { foldTag } from '../tags/tags.ts'
import { askExactly, type Group } from '../words/words.ts'
import {
  type ConditionKind,
  type ConditionOperator,
  type CustomName,
  conditionTable,
  isPlainField,
  type PlainField,
  positiveOf,
  readCustomName,
  shapeOf,
} from './fields.ts'
import { foldShortText, foldWords, patternOf, wholeWordsOf } from './folded.ts'
import type { Condition, ConditionProblem, ConditionValue } from './schema.ts'
import { dateRangeOf, type Moment, type TimeRange, timeRangeOf } from './times.ts'
import { findValueFault } from './values.ts'

/** Translates a condition into tests that need nothing but the ticket: with the records that exist, the current time and the viewer. */

export interface ConditionContext extends Moment {
  /** The person to whom `me` and `is_unread` refer; null if there is none. */
  viewerId: string | null
  customKinds: ReadonlyMap<string, ConditionKind>
  /** The ids that a condition names and that do not exist. */
  deleted: ReadonlySet<string>
  /** The spellings of each tag that exists, by its fold. */
  tags: ReadonlyMap<string, string[]>
}

/** A regular expression, and the whole words that a text must have to match it. */
export interface TextPattern {
  pattern: string
  words: string[]
  /** Whether the expression only requires that the text has its one word. */
  isWord: boolean
}

/** What a field's value is compared with. */
export type Comparison =
  | { test: 'among'; values: string[]; hasNull: boolean }
  | { test: 'tags'; spellings: string[][]; isEach: boolean }
  /** Without groups, no ticket matches. */
  | { test: 'words'; groups: Group[]; isEach: boolean }
  | { test: 'patterns'; patterns: TextPattern[]; isEach: boolean }
  | { test: 'text'; text: string; isWhole: boolean }
  | { test: 'range'; range: TimeRange }
  | { test: 'numbers'; values: number[] }
  | { test: 'limits'; above: number | null; below: number | null; isInclusive: boolean }
  | { test: 'flag'; value: boolean }
  | { test: 'empty' }

export type FieldName = { plain: PlainField } | { custom: CustomName; kind: ConditionKind }

export type Test =
  | { join: 'all' | 'any' | 'none'; of: Test[] }
  | { join: null; field: FieldName; isNegated: boolean; comparison: Comparison }
  /** Names something that was deleted: false. */
  | null

type Path = (string | number)[]

export interface Resolved {
  test: Test
  problems: ConditionProblem[]
}

const listOf = (value: ConditionValue | undefined) => [value ?? null].flat()
const textsOf = (value: ConditionValue | undefined): string[] =>
  listOf(value).flatMap(one => (typeof one === 'string' ? [one] : []))
const numbersOf = (value: ConditionValue | undefined): number[] => listOf(value).map(Number)

type Compare = (
  op: ConditionOperator,
  value: ConditionValue | undefined,
  context: ConditionContext,
) => Comparison

const among: Compare = (_, value, { viewerId }) => ({
  test: 'among',
  values: textsOf(value).flatMap(one => (one === 'me' ? (viewerId ?? []) : one)),
  hasNull: listOf(value).includes(null),
})

const literally: Compare = (_, value) => ({
  test: 'among',
  values: textsOf(value),
  hasNull: listOf(value).includes(null),
})

function toPattern(text: string): TextPattern {
  const words = wholeWordsOf(text)
  return { pattern: patternOf(text), words, isWord: words.length === 1 && words[0] === foldWords(text) }
}

const inText: Compare = (op, value) => {
  if (op === 'is' || op === 'starts_with')
    return { test: 'text', text: foldShortText(textsOf(value)[0]!), isWhole: op === 'is' }
  const patterns = textsOf(value).map(toPattern)
  return { test: 'patterns', patterns, isEach: op === 'contains_all' }
}

/** No message has a text without words, such as an emoji. */
const inMessages: Compare = (op, value) => {
  const asked = textsOf(value).map(askExactly)
  const groups = asked.filter(({ all }) => all.flat().length > 0)
  const isEach = op === 'contains_all'
  return { test: 'words', groups: isEach && groups.length < asked.length ? [] : groups, isEach }
}

const numeric: Compare = (op, value) => {
  const [first, last] = numbersOf(value)
  if (op === 'lt') return { test: 'limits', above: null, below: first!, isInclusive: false }
  if (op === 'gt') return { test: 'limits', above: first!, below: null, isInclusive: false }
  if (op === 'between') return { test: 'limits', above: first!, below: last!, isInclusive: true }
  return { test: 'numbers', values: numbersOf(value) }
}

const comparisons: Record<ConditionKind, Compare> = {
  choice: literally,
  id: among,
  option: literally,
  tags: (op, value, { tags }) => ({
    test: 'tags',
    spellings: textsOf(value).map(tag => [...new Set([tag, ...(tags.get(foldTag(tag)) ?? [])])]),
    isEach: op === 'has_all',
  }),
  message: inMessages,
  name: inText,
  text: inText,
  time: (op, value, context) => ({ test: 'range', range: timeRangeOf(op, value, context) }),
  date: (op, value, context) => ({ test: 'range', range: dateRangeOf(op, value, context) }),
  number: numeric,
  flag: (_, value) => ({ test: 'flag', value: value === true }),
}

function findField(field: string, { customKinds }: ConditionContext): FieldName | null {
  if (isPlainField(field)) return { plain: field }
  const [custom, kind] = [readCustomName(field), customKinds.get(field)]
  return custom && kind ? { custom, kind } : null
}

const kindOf = (field: FieldName): ConditionKind =>
  'plain' in field ? conditionTable[field.plain].kind : field.kind

/** What a comparison names that does not exist. */
function findProblem(
  { op, value }: Condition,
  field: FieldName | null,
  context: ConditionContext,
): ConditionProblem['type'] | null {
  if (!field) return 'field_deleted'
  const kind = kindOf(field)
  const shape = shapeOf(kind, op!)
  if (!shape || findValueFault(shape, value, undefined) !== null) return 'field_changed'
  if (kind === 'tags')
    return textsOf(value).every(tag => context.tags.has(foldTag(tag))) ? null : 'tag_deleted'
  const record = 'plain' in field ? conditionTable[field.plain].names : undefined
  return record && textsOf(value).some(id => context.deleted.has(id)) ? `${record}_deleted` : null
}

function resolveLeaf(leaf: Condition, loc: Path, context: ConditionContext): Resolved {
  const field = findField(leaf.field!, context)
  const type = findProblem(leaf, field, context)
  const problems = type ? [{ loc, type }] : []
  // No ticket has a tag that was deleted, so the comparison is still right.
  if (!field || (type && type !== 'tag_deleted')) return { test: null, problems }
  const { op, isNegated } = positiveOf(leaf.op!)
  const comparison: Comparison =
    op === 'empty' ? { test: 'empty' } : comparisons[kindOf(field)](op, leaf.value, context)
  return { test: { join: null, field, isNegated, comparison }, problems }
}

export function resolveCondition(node: Condition, context: ConditionContext, loc: Path = []): Resolved {
  const join = (['all', 'any', 'none'] as const).find(name => node[name] !== undefined)
  if (!join) return resolveLeaf(node, loc, context)
  const members = node[join]!.map((member, at) => resolveCondition(member, context, [...loc, join, at]))
  return {
    test: { join, of: members.map(({ test }) => test) },
    problems: members.flatMap(({ problems }) => problems),
  }
}

/** What a condition names that was deleted, with the paths of the comparisons. */
export const findProblems = (
  condition: Condition,
  context: ConditionContext,
  loc: Path,
): ConditionProblem[] => resolveCondition(condition, context, loc).problems
