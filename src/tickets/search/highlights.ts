import { type Fragment, isTimeout, type Sql } from '../../core/db/db.ts'
import { snippetAround } from '../../core/words/marks.ts'
import { plainText, type SearchedMessage } from '../../messages/messages.ts'
import { findPlaces, type Group, type Place } from '../../words/words.ts'
import type { Highlight, Ticket } from '../schema.ts'

/** Finds the positions of the searched words in the tickets of a page. */

/** The maximum number of positions in a text. */
const maxPlaces = 10
const snippetLength = 200
/** The number of messages of a ticket that are checked, newest first. */
const maxMessages = 500
/** The number of characters of a message that are checked. */
const maxTextLength = 20_000

interface Hit extends SearchedMessage {
  ticket_id: string
  id: string
}

/** The newest message of each ticket that has the words. */
const findHits = (sql: Sql, projectId: string, words: Fragment, ids: string[]) => sql<Hit[]>`
  select i.id as ticket_id, m.id, m.content, m.content_format
  from unnest(${ids}::uuid[]) as i (id) cross join lateral (
    select n.id, n.content, n.content_format from (
      select id, content, content_format, search, created_at from messages
      where project_id = ${projectId} and ticket_id = i.id and delivery_status <> 'scheduled'
      order by created_at desc, id desc limit ${maxMessages}) n
    where n.search @@ ${words} order by n.created_at desc, n.id desc limit 1) m`

/** If the search for positions takes too long, the page is returned without them. */
function withoutHits(error: unknown): Hit[] {
  if (isTimeout(error)) return []
  throw error
}

const toHighlights = (field: Highlight['field'], messageId: string | null, places: Place[]): Highlight[] =>
  places.slice(0, maxPlaces).map(({ start, end }) => ({ field, message_id: messageId, start, end }))

function inMessage(groups: Group[], hit: Hit): Pick<Ticket, 'highlights' | 'snippet'> {
  const text = plainText(hit.content, hit.content_format).slice(0, maxTextLength)
  const places = findPlaces(groups, text)
  return {
    highlights: toHighlights('content', hit.id, places),
    snippet: places.length ? { message_id: hit.id, ...snippetAround(text, places, snippetLength) } : null,
  }
}

/** Adds the positions of the searched words to the tickets of a page: in the subject, and in one message. */
export async function highlight(
  sql: Sql,
  projectId: string,
  { groups, words }: { groups: Group[]; words: Fragment },
  tickets: Ticket[],
): Promise<Ticket[]> {
  if (groups.length === 0) return tickets
  const ids = tickets.map(({ id }) => id)
  const hits = await findHits(sql, projectId, words, ids).catch(withoutHits)
  return tickets.map(ticket => {
    const hit = hits.find(({ ticket_id }) => ticket_id === ticket.id)
    const subject = toHighlights('subject', null, findPlaces(groups, ticket.subject ?? ''))
    const { highlights = [], snippet = null } = hit ? inMessage(groups, hit) : {}
    return { ...ticket, highlights: [...subject, ...highlights], snippet }
  })
}
