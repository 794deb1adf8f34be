import { getContact } from '../contacts/contacts.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { type Listed, listPage } from '../core/paging.ts'
import { loadTickets } from './find.ts'
import { highlight } from './highlights.ts'
import type { Ticket, TicketSearch } from './schema.ts'
import { select } from './select.ts'
import { countTickets, findTicketIds } from './selection.ts'
import { readWords, searchWords } from './words.ts'

export async function searchTickets(
  sql: Sql,
  projectId: string,
  query: TicketSearch,
): Promise<Listed<Ticket>> {
  const selection = await select(sql, projectId, query)
  const { where, sort } = selection
  const asked = query.q === undefined ? null : await readWords(sql, projectId, query.q)
  const words = asked && (await searchWords(sql, projectId, asked, selection))
  return listPage(
    {
      sql,
      sort,
      async load(ids) {
        const tickets = await loadTickets(sql, projectId, ids)
        return asked ? highlight(sql, projectId, asked, tickets) : tickets
      },
      ...(words ?? {
        isSettled: selection.isSettled,
        find: (condition, ordering) =>
          findTicketIds(sql, { ...selection, where: sql`${where} and ${condition}` as Fragment }, ordering),
        count: limit => countTickets(sql, selection, limit),
      }),
    },
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

export async function listContactTickets(
  sql: Sql,
  projectId: string,
  reference: string,
  query: TicketSearch,
) {
  const { id } = await getContact(sql, projectId, reference)
  return searchTickets(sql, projectId, { ...query, contact_id: [id] })
}
