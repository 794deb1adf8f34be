import { bareId } from '../core/ids.ts'

/** An event in the log. `data` is JSON text that is serialised once and never parsed when it is sent. */
export interface EventRow {
  id: string
  type: string
  data: string
  created_at: string
}

const ticketIdOf = (data: string): string | undefined => /"ticket_id":"([^"]+)"/.exec(data)?.[1]
const contactIdOf = (data: string): string | undefined => /^\{"id":"([^"]+)"/.exec(data)?.[1]

export const ticketLinks = (id: string) => ({
  ticket: `/api/v1/tickets/${id}`,
  messages: `/api/v1/tickets/${id}/messages`,
})

export const contactLinks = (id: string) => ({
  contact: `/api/v1/contacts/${id}`,
  tickets: `/api/v1/contacts/${id}/tickets`,
})

/** Specification §6.2: events about tickets and messages have links if they contain a ticket, events about contacts have links, all others have none. */
function linksOf(type: string, data: string): Record<string, string> {
  const [noun] = type.split('.')
  if (noun === 'ticket' || noun === 'message') {
    const id = ticketIdOf(data)
    return id ? ticketLinks(id) : {}
  }
  const id = noun === 'contact' ? contactIdOf(data) : undefined
  return id ? contactLinks(id) : {}
}

/** The body of every delivery and attempt of an event. It always consists of the same bytes. */
export function printEnvelope(projectId: string, event: EventRow): string {
  const head = JSON.stringify({
    id: bareId(event.id),
    type: event.type,
    timestamp: `${event.created_at}+00:00`,
    workspace_id: projectId,
  }).slice(0, -1)
  return `${head},"data":${event.data},"_links":${JSON.stringify(linksOf(event.type, event.data))}}`
}
