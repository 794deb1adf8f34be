import { getContact } from '../contacts/contacts.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { type Found, type Listed, listPage } from '../core/paging.ts'
import { findTicketId } from '../messages/messages.ts'
import { loadTickets } from './find.ts'
import { asksWords, type Question, questionOf } from './question.ts'
import type { Ticket, TicketSearch } from './schema.ts'
import { select } from './select.ts'
import { countTickets, findTicketIds, type Selection, withoutTicket } from './selection.ts'
import { searchWords } from './words.ts'

/** The ticket whose number a question names, if the list's filters leave it. */
async function findNumbered(
  sql: Sql,
  projectId: string,
  { number }: Question,
  selection: Selection,
): Promise<Found | null> {
  const id = number && (await findTicketId(sql, projectId, String(number)))
  if (!id) return null
  const where = sql`${selection.where} and ${selection.sort.id} = ${id}` as Fragment
  const [row] = await findTicketIds(sql, { ...selection, where, isSettled: false }, sql`` as Fragment)
  return row ?? null
}

const listSelected = (sql: Sql, selection: Selection) => ({
  isSettled: selection.isSettled,
  find: (condition: Fragment, ordering: Fragment) => {
    const where = sql`${selection.where} and ${condition}` as Fragment
    return findTicketIds(sql, { ...selection, where }, ordering)
  },
  count: (limit: number) => countTickets(sql, selection, limit),
})

export async function searchTickets(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
): Promise<Listed<Ticket>> {
  const question = questionOf(query)
  const selection = await select(sql, projectId, query, question)
  const first = question && (await findNumbered(sql, projectId, question, selection))
  const rest = first ? withoutTicket(sql, selection, first.id) : selection
  const found =
    question && asksWords(question)
      ? await searchWords(sql, projectId, question.words, rest)
      : listSelected(sql, rest)
  return listPage(
    { sql, sort: rest.sort, first, load: ids => loadTickets(sql, projectId, ids), ...found },
    query,
  )
}

/** How many there are, up to a limit. Words are not searched. */
export async function countSearch(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
  limit: number,
): Promise<number> {
  return countTickets(sql, await select(sql, projectId, query), limit)
}

/** Whether a list searches words, which costs more than its other conditions. */
export function searchesWords(query: TicketSearch): boolean {
  const question = questionOf(query)
  return question !== null && (asksWords(question) || question.excluded.length > 0)
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
