import { getContact } from '../../contacts/contacts.ts'
import type { Sql } from '../../core/db/db.ts'
import { countWithDeadline, findWithDeadline } from '../../core/db/search-deadline.ts'
import { type FoundRow, type Listed, type ListQuery, listPage } from '../../core/paging/paging.ts'
import { findTicketId } from '../../messages/messages.ts'
import { loadTickets } from '../find.ts'
import type { Ticket, TicketSearch } from '../schema.ts'
import { highlight } from './highlights.ts'
import { asksWords, isCostly, questionOf, readQuestion, type TicketQuestion } from './question.ts'
import { select } from './select.ts'
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
  selection: Selection,
): Promise<FoundRow | null> {
  const id = question.number && (await findTicketId(sql, projectId, String(question.number)))
  if (!id) return null
  const found = await findOne(sql, selection, id)
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

/** Like `listSelected`, but within a time limit. */
const listInTime = (sql: Sql, selection: Selection): Finding => ({
  find: (...wanted) => findWithDeadline(sql, 'q', own => listSelected(own, selection).find(...wanted)),
  count: limit => countWithDeadline(sql, own => countTickets(own, selection, limit)),
})

async function findingOf(
  sql: Sql,
  projectId: string,
  question: TicketQuestion | null,
  words: WordSearch | null,
  selection: Selection,
): Promise<Finding> {
  if (words) return searchWords(sql, projectId, words, selection)
  return question && isCostly(question) ? listInTime(sql, selection) : listSelected(sql, selection)
}

export async function searchTickets(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
): Promise<Listed<Ticket>> {
  const question = questionOf(query)
  const selection = await select(sql, projectId, query, question)
  const first = question && (await findNumbered(sql, projectId, question, query, selection))
  const rest = first ? withoutTicket(sql, selection, first.id) : selection
  const words = question && asksWords(question) ? await readWords(sql, projectId, question.words) : null
  const finding = await findingOf(sql, projectId, question, words, rest)
  async function load(ids: string[]): Promise<readonly Ticket[]> {
    const tickets = await loadTickets(sql, projectId, ids)
    return words ? highlight(sql, projectId, words, tickets) : tickets
  }
  return listPage({ sql, sort: rest.sort, first, load, ...finding }, query)
}

/** The number of matching tickets, up to a limit. The words of `q` are not searched. */
export async function countSearch(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
  limit: number,
): Promise<number> {
  return countTickets(sql, await select(sql, projectId, query), limit)
}

/** Whether counting a list may take too long to show the number beside its name. */
export function isCostlySearch(query: TicketSearch): boolean {
  const question = questionOf(query)
  return question !== null && isCostly(question)
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
