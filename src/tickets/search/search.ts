import { isCostlyCondition } from '../../conditions/conditions.ts'
import { getContact } from '../../contacts/contacts.ts'
import type { Sql } from '../../core/db/db.ts'
import { countWithDeadline, findWithDeadline } from '../../core/db/search-deadline.ts'
import {
  type FoundRow,
  type Listed,
  type ListQuery,
  listPage,
  type OrderedRows,
} from '../../core/paging/paging.ts'
import { findTicketId } from '../../messages/messages.ts'
import { loadTickets } from '../find.ts'
import type { Ticket, TicketSearch } from '../schema.ts'
import type { Narrowed } from './filters.ts'
import { highlight } from './highlights.ts'
import { narrow } from './operators.ts'
import { asksWords, isCostlyQuestion, questionOf, readQuestion, type TicketQuestion } from './question.ts'
import { select, selectNarrowed } from './select.ts'
import { countTickets, findTicketIds, type Selection, withoutTicket } from './selection.ts'
import { readWords, searchWords, type WordSearch } from './words.ts'

async function findOne(sql: Sql, selection: Selection, id: string): Promise<FoundRow | null> {
  const where = sql`${selection.where} and ${selection.sort.id} = ${id}`
  const [row] = await findTicketIds(sql, { ...selection, where, isSettled: false }, sql``)
  return row ?? null
}

/** The ticket whose number is in `q`, if it matches the filters of the list. A spam ticket is included unless `is_spam` is set. */
async function findNumbered(
  sql: Sql,
  projectId: string,
  question: TicketQuestion,
  query: TicketSearch,
): Promise<FoundRow | null> {
  const id = question.number && (await findTicketId(sql, projectId, String(question.number)))
  if (!id) return null
  const found = await findOne(sql, await select(sql, projectId, query, question), id)
  if (found || query.is_spam !== undefined) return found
  return findOne(sql, await select(sql, projectId, { ...query, is_spam: true }, question), id)
}

type Finding = Pick<ListQuery<unknown>, 'isSettled' | 'find' | 'count'>

const listSelected = (sql: Sql, selection: Selection): Finding => ({
  isSettled: selection.isSettled,
  find: (condition, ordering) => {
    const where = sql`${selection.where} and ${condition}`
    return findTicketIds(sql, { ...selection, where }, ordering)
  },
  count: limit => countTickets(sql, selection, limit),
})

/** Like `listSelected`, but within a time limit, which `filter` may exceed. */
const listInTime = (sql: Sql, selection: Selection, filter: string): Finding => ({
  find: (...wanted) => findWithDeadline(sql, filter, own => listSelected(own, selection).find(...wanted)),
  count: limit => countWithDeadline(sql, own => countTickets(own, selection, limit)),
})

async function findingOf(
  sql: Sql,
  projectId: string,
  question: TicketQuestion | null,
  words: WordSearch | null,
  query: TicketSearch,
  selection: Selection,
): Promise<Finding> {
  if (words) return searchWords(sql, projectId, words, selection)
  if (query.conditions) return listInTime(sql, selection, 'conditions')
  return question && isCostlyQuestion(question)
    ? listInTime(sql, selection, 'q')
    : listSelected(sql, selection)
}

interface Search {
  sql: Sql
  projectId: string
  question: TicketQuestion | null
  words: WordSearch | null
  first: FoundRow | null
}

type OrderedTickets = OrderedRows & Pick<ListQuery<unknown>, 'count' | 'rest'>

async function listInOrder(search: Search, query: Narrowed): Promise<OrderedTickets> {
  const { sql, projectId, question, words, first } = search
  const whole = await selectNarrowed(sql, projectId, query)
  const selection = first ? withoutTicket(sql, whole, first.id) : whole
  return {
    sql,
    sort: selection.sort,
    ...(await findingOf(sql, projectId, question, words, query, selection)),
  }
}

/** The tickets whose contact waits, and then the others, the latest message first. */
async function listByWait(search: Search, query: Narrowed): Promise<OrderedTickets> {
  const byMessage = { ...query, sort: '-last_message_at' }
  async function rest(): Promise<OrderedRows> {
    const { sort, ...rows } = await listInOrder(search, { ...byMessage, is_waiting: false })
    return { ...rows, sort: { ...sort, name: 'waiting_since,-last_message_at' } }
  }
  return {
    ...(await listInOrder(search, { ...query, is_waiting: true })),
    rest,
    count: async limit => (await listInOrder(search, byMessage)).count(limit),
  }
}

export async function searchTickets(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
): Promise<Listed<Ticket>> {
  const question = questionOf(query)
  const [first, words, narrowed] = await Promise.all([
    question && findNumbered(sql, projectId, question, query),
    question && asksWords(question) ? readWords(sql, projectId, question.words) : null,
    narrow(sql, projectId, query, question),
  ])
  const search = { sql, projectId, question, words, first }
  const list = query.sort === 'waiting_since' ? listByWait(search, narrowed) : listInOrder(search, narrowed)
  async function load(ids: string[]): Promise<readonly Ticket[]> {
    const tickets = await loadTickets(sql, projectId, ids)
    return words ? highlight(sql, projectId, words, tickets) : tickets
  }
  return listPage({ ...(await list), first, load }, query)
}

/** The number of matching tickets, up to a limit; null if conditions take too long. The words of `q` are not searched. */
export async function countSearch(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
  limit: number,
): Promise<number | null> {
  const selection = await select(sql, projectId, query)
  const count = (own: Sql) => countTickets(own, selection, limit)
  return query.conditions ? countWithDeadline(sql, count) : count(sql)
}

/** Whether counting a list may take too long to show the number beside its name. */
export function isCostlySearch(query: TicketSearch): boolean {
  const question = questionOf(query)
  if (question !== null && isCostlyQuestion(question)) return true
  return query.conditions !== undefined && isCostlyCondition(query.conditions)
}

export async function listContactTickets(
  sql: Sql,
  projectId: string,
  reference: string,
  query: TicketSearch,
) {
  const { id } = await getContact(sql, projectId, reference)
  return searchTickets(sql, projectId, { ...query, contact_id: [id] })
}

/** The words of a search without its operators, for records that have no operators; empty if there are no words. */
export const plainWords = (q: string): string =>
  readQuestion(q, true)
    .words.map(({ text, isPhrase }) => (isPhrase ? `"${text}"` : text))
    .join(' ')
