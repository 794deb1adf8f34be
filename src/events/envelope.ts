import { bareId } from '../core/ids.ts'

/** An event as the log keeps it. `data` is text: it is printed once and never parsed on the way out. */
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

/** Spec §6.2: tickets and messages link where the event has a ticket, contacts link, everything else is empty. */
function linksOf(type: string, data: string): Record<string, string> {
  const [noun] = type.split('.')
  if (noun === 'ticket' || noun === 'message') {
    const id = ticketIdOf(data)
    return id ? ticketLinks(id) : {}
  }
  const id = noun === 'contact' ? contactIdOf(data) : undefined
  return id ? contactLinks(id) : {}
}

/** The bytes that every delivery and every attempt of an event send; they are the same whenever they are printed. */
export function printEnvelope(projectId: string, event: EventRow): string {
  const head = JSON.stringify({
    id: bareId(event.id),
    type: event.type,
    timestamp: `${event.created_at}+00:00`,
    workspace_id: projectId,
  }).slice(0, -1)
  return `${head},"data":${event.data},"_links":${JSON.stringify(linksOf(event.type, event.data))}}`
}
