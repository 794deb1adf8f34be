import { contactsMatching } from '../contacts/contacts.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { parseTime } from '../core/time.ts'
import { spellTags } from '../tags/tags.ts'
import { hasAnyWord } from './excluded.ts'
import { type Conditions, columnOf, isUnread, type Narrowed, wordOf } from './filters.ts'
import { asksWords, type Operator, type OperatorName, type Question } from './question.ts'
import type { TicketSearch } from './schema.ts'

/** What the operators and the excluded words of `q` ask of a list. */

type Copied = (sql: Sql, of: (name: string) => Fragment, values: string[], viewerId: string) => Fragment

const oneWord =
  (name: string): Copied =>
  (sql, of, values) =>
    wordOf(sql, of(name), values)

/** Operators on columns that the activity has copies of, and states by `is:` and their name. */
const copied: Record<string, Copied> = {
  status: oneWord('status'),
  priority: oneWord('priority'),
  channel: oneWord('channel'),
  'is:unassigned': (sql, of) => sql`${of('operator_id')} is null` as Fragment,
  'is:assigned': (sql, of) => sql`${of('operator_id')} is not null` as Fragment,
  'is:mine': (sql, of, _, viewerId) => sql`${of('operator_id')} = ${viewerId}` as Fragment,
  'is:spam': (_, of) => of('is_spam'),
}

type Own = (sql: Sql, projectId: string, values: string[]) => Fragment[] | Promise<Fragment[]>

const hasFile: Own = (sql, projectId) => [
  sql`exists (
    select from messages m join media f on f.project_id = m.project_id and f.message_id = m.id
    where m.project_id = ${projectId} and m.ticket_id = t.id and m.deleted_at is null)` as Fragment,
]

/** Operators on what only the ticket has. */
const own: Record<string, Own> = {
  tag: async (sql, projectId, values) => [
    sql`t.tags && ${(await spellTags(sql, projectId, values)) as never}::text[]` as Fragment,
  ],
  from: async (sql, projectId, [text]) => {
    const { contacts } = await contactsMatching(sql, projectId, text!)
    return [sql`t.contact_id in (${contacts})` as Fragment]
  },
  has: hasFile,
  'is:snoozed': sql => [sql`t.snoozed_until is not null` as Fragment],
  'is:merged': sql => [sql`t.merged_into_id is not null` as Fragment],
}

const keyOf = ({ name, values }: Operator): string => (name === 'is' ? `is:${values[0]}` : name)

/** What is unknown, such as the operator of a ticket that nobody has, is not excluded. */
const unless = (sql: Sql, { isExcluded }: Operator, condition: Fragment): Fragment =>
  isExcluded ? (sql`(${condition}) is not true` as Fragment) : condition

async function askTickets(sql: Sql, projectId: string, { operators, excluded }: Question) {
  const asked = operators.map(async operator => {
    const conditions = (await own[keyOf(operator)]?.(sql, projectId, operator.values)) ?? []
    return conditions.map(condition => unless(sql, operator, condition))
  })
  const without = excluded.length
    ? [sql`not ${(await hasAnyWord(sql, projectId, excluded)).condition}` as Fragment]
    : []
  return [...(await Promise.all(asked)).flat(), ...without]
}

async function conditionsOf(
  sql: Sql,
  projectId: string,
  question: Question,
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
    activity: unread.map(operator => unless(sql, operator, isUnread(sql, viewerId))),
  }
}

/** The times of one bound: what `before:` excludes is after it. */
const timesOf = (operators: Operator[], name: OperatorName, opposite: OperatorName): string[] =>
  operators.flatMap(({ values, isExcluded, ...operator }) =>
    operator.name === (isExcluded ? opposite : name) ? values : [],
  )

const sortTimes = (sent: string | undefined, times: string[]): string[] =>
  [...(sent === undefined ? [] : [parseTime(sent)!]), ...times].sort()

/** Bounds that a query has for the creation, since lists choose their way by them. */
const boundsOf = ({ created_after, created_before }: TicketSearch, operators: Operator[]) => ({
  created_after: sortTimes(created_after, timesOf(operators, 'after', 'before')).at(-1),
  created_before: sortTimes(created_before, timesOf(operators, 'before', 'after'))[0],
})

/** The query with its tags as the project writes them, and with what `q` asks; it keeps `q` only if words are searched. */
export async function narrow(
  sql: Sql,
  projectId: string,
  asked: TicketSearch,
  question: Question | null,
): Promise<Narrowed> {
  const query = asked.tag ? { ...asked, tag: await spellTags(sql, projectId, asked.tag) } : asked
  if (!question) return query
  const isSpam = question.operators.some(one => keyOf(one) === 'is:spam' && !one.isExcluded)
  return {
    ...query,
    ...boundsOf(query, question.operators),
    ...(isSpam && query.is_spam === undefined && { is_spam: true }),
    q: asksWords(question) ? query.q : undefined,
    conditions: await conditionsOf(sql, projectId, question, query.viewer_id!),
  }
}
