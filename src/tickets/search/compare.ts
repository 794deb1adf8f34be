import {
  type Comparison,
  type ConditionKind,
  type PlainField,
  separatorPattern,
  type TextPattern,
} from '../../conditions/conditions.ts'
import type { Fragment, Sql } from '../../core/db/db.ts'
import { isId } from '../../core/ids.ts'
import { toDatabase } from '../../core/time.ts'
import { printQuestion } from '../../words/words.ts'
import { wordOf } from './filters.ts'

/** Compares one value of a ticket in SQL. Null counts as false. */

export interface ComparedValue {
  column: Fragment
  /** Whether values that do not fit are wanted, which an index cannot find. */
  isNegated: boolean
  name: PlainField | null
  /** For a key of the custom fields that the column holds. */
  custom: { key: string; kind: ConditionKind } | null
}

const isIdField = ({ name }: ComparedValue): boolean => name?.endsWith('_id') === true

/** The text of a field; null if it is missing or empty. */
function textOf(sql: Sql, { column, custom }: ComparedValue): Fragment {
  if (!custom) return sql`nullif(${column}, '')`
  const value = sql`(${column} -> ${custom.key}::text)`
  const text = sql`nullif(${column} ->> ${custom.key}::text, '')`
  return sql`(case when jsonb_typeof(${value}) = 'string' then ${text} end)`
}

function numberOf(sql: Sql, { column, custom }: ComparedValue): Fragment {
  if (!custom) return column
  const value = sql`(${column} -> ${custom.key}::text)`
  return sql`(case when jsonb_typeof(${value}) = 'number' then ${value}::numeric end)`
}

const dateOf = (sql: Sql, value: ComparedValue): Fragment =>
  sql`(substring(${textOf(sql, value)} from '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') collate "C")`

const anyOf = (sql: Sql, tests: Fragment[]): Fragment =>
  tests.length ? sql`(${tests.reduce((all, one) => sql`${all} or ${one}`)})` : sql`false`

const joinTests = (sql: Sql, tests: Fragment[], isEach: boolean): Fragment =>
  isEach ? tests.reduce((all, one) => sql`${all} and ${one}`) : anyOf(sql, tests)

/** In the form that the index of custom fields supports. */
const hasValue = (sql: Sql, column: Fragment, key: string, value: unknown): Fragment =>
  sql`${column} @> ${JSON.stringify({ [key]: value })}::text::jsonb`

function isAmong(sql: Sql, value: ComparedValue, values: string[]): Fragment {
  const { column, custom } = value
  if (custom)
    return anyOf(
      sql,
      values.map(one => hasValue(sql, column, custom.key, one)),
    )
  if (isIdField(value)) return sql`${column} = any(${values.filter(isId)}::uuid[])`
  return wordOf(sql, column, values)
}

function isMissing(sql: Sql, value: ComparedValue): Fragment {
  const { column, name, custom } = value
  if (name === 'tags') return sql`${column} = '{}'`
  if (custom?.kind === 'number') return sql`${numberOf(sql, value)} is null`
  if (custom?.kind === 'date') return sql`${dateOf(sql, value)} is null`
  const isText = custom || name === 'subject' || name?.startsWith('contact.')
  return isText ? sql`${textOf(sql, value)} is null` : sql`${column} is null`
}

function isInRange(sql: Sql, value: ComparedValue, { range }: Comparison & { test: 'range' }): Fragment {
  const { from, until } = range
  const column = value.custom ? dateOf(sql, value) : value.column
  const bound = (time: string) => (value.custom ? sql`${time}::text` : sql`${toDatabase(time)}::timestamptz`)
  const bounds = [
    ...(from === null ? [] : [sql`${column} >= ${bound(from)}`]),
    ...(until === null ? [] : [sql`${column} < ${bound(until)}`]),
  ]
  return joinTests(sql, bounds, true)
}

function isWithin(sql: Sql, value: ComparedValue, comparison: Comparison & { test: 'limits' }): Fragment {
  const { above, below, isInclusive } = comparison
  const column = numberOf(sql, value)
  const equal = sql.unsafe(isInclusive ? '=' : '')
  const limits = [
    ...(above === null ? [] : [sql`${column} >${equal} ${above}::float8::numeric`]),
    ...(below === null ? [] : [sql`${column} <${equal} ${below}::float8::numeric`]),
  ]
  return joinTests(sql, limits, true)
}

function isNumber(sql: Sql, value: ComparedValue, values: number[]): Fragment {
  const { column, custom } = value
  if (custom)
    return anyOf(
      sql,
      values.map(one => hasValue(sql, column, custom.key, one)),
    )
  return sql`${column} = any(${values}::float8[])`
}

function isInText(
  sql: Sql,
  value: ComparedValue,
  comparison: Comparison & { test: 'patterns' | 'text' },
): Fragment {
  const folded = sql`folded_text(${textOf(sql, value)})`
  if (comparison.test === 'text') {
    const { text, isWhole } = comparison
    return isWhole ? sql`${folded} = ${text}::text` : sql`starts_with(${folded}, ${text}::text)`
  }
  return hasPatterns(sql, value, folded, comparison)
}

/** Every pattern, or any of them. In subjects, the index finds their whole words first. */
function hasPatterns(
  sql: Sql,
  { column, name, isNegated }: ComparedValue,
  folded: Fragment,
  { patterns, isEach }: Comparison & { test: 'patterns' },
): Fragment {
  const isIndexed = name === 'subject' && !isNegated && hasWholeWords(patterns, isEach)
  if (!isEach && !isIndexed)
    return sql`${folded} ~ ${patterns.map(({ pattern }) => `(${pattern})`).join('|')}::text`
  const tests = patterns.map(({ pattern, words, isWord }) => {
    const holds = sql`${folded} ~ ${pattern}::text`
    if (!isIndexed || !words.length) return holds
    const hasWords = sql`${subjectWords(sql, column)} @> ${words}::text[]`
    // The planner cannot estimate an expression.
    return isWord ? hasWords : sql`(${hasWords} and ${holds})`
  })
  return joinTests(sql, tests, isEach)
}

/** In the form that the index `tickets_subject_words` supports. */
const subjectWords = (sql: Sql, column: Fragment): Fragment =>
  sql`regexp_split_to_array(left(folded_text(${column}), 800), ${sql.unsafe(`'${separatorPattern}'`)})`

/** Whether words limit the texts that can match. */
export const hasWholeWords = (patterns: TextPattern[], isEach: boolean): boolean =>
  isEach ? patterns.some(({ words }) => words.length > 0) : patterns.every(({ words }) => words.length > 0)

const hasTags = (
  sql: Sql,
  column: Fragment,
  { spellings, isEach }: Comparison & { test: 'tags' },
): Fragment =>
  isEach
    ? joinTests(
        sql,
        spellings.map(names => sql`${column} && ${names}::text[]`),
        true,
      )
    : sql`${column} && ${spellings.flat()}::text[]`

/** One message must have the words. */
function hasWords(sql: Sql, projectId: string, { groups, isEach }: Comparison & { test: 'words' }): Fragment {
  if (!groups.length) return sql`false`
  return sql`exists (
    select from messages m where m.project_id = ${projectId} and m.ticket_id = t.id
      and m.search @@ ${printQuestion(groups, isEach ? '&' : '|')}::text::tsquery
      and m.sender_type <> 'system' and m.delivery_status <> 'scheduled' and m.deleted_at is null)`
}

/** The SQL condition that a value matches a comparison. */
export function compare(sql: Sql, projectId: string, value: ComparedValue, comparison: Comparison): Fragment {
  const { column, custom } = value
  switch (comparison.test) {
    case 'among': {
      const isOne = isAmong(sql, value, comparison.values)
      return comparison.hasNull ? sql`(${isMissing(sql, value)} or ${isOne})` : isOne
    }
    case 'tags':
      return hasTags(sql, column, comparison)
    case 'words':
      return hasWords(sql, projectId, comparison)
    case 'patterns':
    case 'text':
      return isInText(sql, value, comparison)
    case 'range':
      return isInRange(sql, value, comparison)
    case 'numbers':
      return isNumber(sql, value, comparison.values)
    case 'limits':
      return isWithin(sql, value, comparison)
    case 'flag':
      if (custom) return hasValue(sql, column, custom.key, comparison.value)
      return comparison.value ? column : sql`not ${column}`
    case 'empty':
      return isMissing(sql, value)
  }
}
