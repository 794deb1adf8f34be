import { readConditionContext } from '../../conditions/conditions.ts'
import { contactsMatching } from '../../contacts/contacts.ts'
import type { Fragment, Sql } from '../../core/db/db.ts'
import { parseTime } from '../../core/time.ts'
import { listTagSpellings } from '../../tags/tags.ts'
import type { TicketSearch } from '../schema.ts'
import { conditionFilters } from './condition-filters.ts'
import { hasAnyWord } from './excluded.ts'
import { type Conditions, columnOf, isUnread, type Narrowed, wordOf } from './filters.ts'
import { asksWords, type SearchOperator, type SearchOperatorName, type TicketQuestion } from './question.ts'

/** Turns the operators and the excluded words of `q` into conditions of a list. */

type Copied = (sql: Sql, of: (name: string) => Fragment, values: string[], viewerId: string) => Fragment

const oneWord =
  (name: string): Copied =>
  (sql, of, values) =>
    wordOf(sql, of(name), values)

/** Operators on columns that the activity has copies of. States have their name after `is:`. */
const copied: Record<string, Copied> = {
  status: oneWord('status'),
  priority: oneWord('priority'),
  channel: oneWord('channel'),
  'is:unassigned': (sql, of) => sql`${of('operator_id')} is null`,
  'is:assigned': (sql, of) => sql`${of('operator_id')} is not null`,
  'is:mine': (sql, of, _, viewerId) => sql`${of('operator_id')} = ${viewerId}`,
  'is:spam': (_, of) => of('is_spam'),
}

type Own = (sql: Sql, projectId: string, values: string[]) => Fragment[] | Promise<Fragment[]>

const hasFile: Own = (sql, projectId) => [
  sql`exists (
    select from messages m join media f on f.project_id = m.project_id and f.message_id = m.id
    where m.project_id = ${projectId} and m.ticket_id = t.id and m.deleted_at is null)`,
]

/** Operators on columns that only the ticket has. */
const own: Record<string, Own> = {
  tag: async (sql, projectId, values) => [
    sql`t.tags && ${await listTagSpellings(sql, projectId, values)}::text[]`,
  ],
  from: async (sql, projectId, [text]) => {
    const { contacts } = await contactsMatching(sql, projectId, text!)
    return [sql`t.contact_id in (${contacts})`]
  },
  has: hasFile,
  'is:snoozed': sql => [sql`t.snoozed_until is not null`],
  'is:merged': sql => [sql`t.merged_into_id is not null`],
}

const keyOf = ({ name, values }: SearchOperator): string => (name === 'is' ? `is:${values[0]}` : name)

/** An excluded condition keeps tickets for which it is null, such as the operator of an unassigned ticket. */
const unless = (sql: Sql, { isExcluded }: SearchOperator, condition: Fragment): Fragment =>
  isExcluded ? sql`(${condition}) is not true` : condition

async function askTickets(sql: Sql, projectId: string, { operators, excluded }: TicketQuestion) {
  const asked = operators.map(async operator => {
    const conditions = (await own[keyOf(operator)]?.(sql, projectId, operator.values)) ?? []
    return conditions.map(condition => unless(sql, operator, condition))
  })
  const without = excluded.length ? [sql`not ${(await hasAnyWord(sql, projectId, excluded)).condition}`] : []
  return [...(await Promise.all(asked)).flat(), ...without]
}

async function conditionsOf(
  sql: Sql,
  projectId: string,
  question: TicketQuestion,
  viewerId: string,
): Promise<Conditions> {
  const { operators } = question
  const unread = operators.filter(operator => keyOf(operator) === 'is:unread')
  return {
    copied: side =>
      operators.flatMap(operator => {
        const condition = copied[keyOf(operator)]?.(sql, columnOf(sql, side), operator.values, viewerId)
        return condition ? [unless(sql, operator, condition)] : []
      }),
    own: await askTickets(sql, projectId, question),
    checked: [],
    activity: unread.map(operator => unless(sql, operator, isUnread(sql, projectId, viewerId))),
  }
}

/** The times of one bound. An excluded `before:` has the same meaning as `after:`, and vice versa. */
const timesOf = (
  operators: SearchOperator[],
  name: SearchOperatorName,
  opposite: SearchOperatorName,
): string[] =>
  operators.flatMap(({ values, isExcluded, ...operator }) =>
    operator.name === (isExcluded ? opposite : name) ? values : [],
  )

const sortTimes = (sent: string | undefined, times: string[]): string[] =>
  [...(sent === undefined ? [] : [parseTime(sent)!]), ...times].sort()

/** Adds the times in `q` to the bounds of the query, because lists choose a strategy by these. */
const boundsOf = ({ created_after, created_before }: TicketSearch, operators: SearchOperator[]) => ({
  created_after: sortTimes(created_after, timesOf(operators, 'after', 'before')).at(-1),
  created_before: sortTimes(created_before, timesOf(operators, 'before', 'after'))[0],
})

/** The filters of `q`. It keeps `q` only if words are searched. */
async function narrowByQuestion(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
  question: TicketQuestion,
): Promise<Narrowed> {
  const isSpam = question.operators.some(one => keyOf(one) === 'is:spam' && !one.isExcluded)
  return {
    ...query,
    ...boundsOf(query, question.operators),
    ...(isSpam && query.is_spam === undefined && { is_spam: true }),
    q: asksWords(question) ? query.q : undefined,
    more: await conditionsOf(sql, projectId, question, query.viewer_id!),
  }
}

async function narrowByConditions(sql: Sql, projectId: string, query: Narrowed): Promise<Narrowed> {
  const { conditions, viewer_id = null, more } = query
  if (!conditions) return query
  const context = await readConditionContext(sql, projectId, [conditions], viewer_id)
  const own = conditionFilters(sql, projectId, conditions, context)
  return {
    ...query,
    namesSpam: own.namesSpam && query.is_spam === undefined,
    more: {
      copied: side => [...(more?.copied(side) ?? []), ...own.copied(side)],
      own: [...(more?.own ?? []), ...own.own],
      checked: own.checked,
      activity: [...(more?.activity ?? []), ...own.activity],
    },
  }
}

/** The query with the project's spellings of its tags, and with the conditions of `q` and `conditions`. */
export async function narrow(
  sql: Sql,
  projectId: string,
  asked: TicketSearch,
  question: TicketQuestion | null,
): Promise<Narrowed> {
  const query = asked.tag ? { ...asked, tag: await listTagSpellings(sql, projectId, asked.tag) } : asked
  const narrowed = question ? await narrowByQuestion(sql, projectId, query, question) : query
  return narrowByConditions(sql, projectId, narrowed)
}
