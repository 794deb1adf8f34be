import type { Db } from '../../core/db/db.ts'
import type { LogPage, PrintSlice } from '../../events/log-page.ts'
import { printFrame } from '../../live/live.ts'
import { loadVisitorMessages, loadVisitorTickets, type OwnedTicket } from './records.ts'
import type { VisitorMessage } from './schema.ts'
import { listForeign, loadViews } from './views.ts'
import type { TicketOwner } from './visitor.ts'

/** Turns events into frames for open widgets: records as visitors see them, made once for all widgets of a project. */

/** Events that may concern visitors. Waiting replies, notes and system messages are left out when the records are loaded. */
export const visitorEventTypes = [
  'ticket.created',
  'ticket.updated',
  'ticket.assigned',
  'ticket.transferred',
  'ticket.closed',
  'ticket.reopened',
  'ticket.rated',
  'message.created',
  'message.edited',
  'message.reaction.added',
  'message.reaction.removed',
].join()

interface Item {
  seq: number
  data: { ticket_id?: string; message_id?: string; cause?: string }
}

/** Whether messages have moved from one ticket to another. */
const isMoving = ({ data: { cause = '' } }: Item): boolean => ['merged', 'unmerged', 'split'].includes(cause)

interface LogItems {
  gap: boolean
  items: Item[]
}

export const printPart: PrintSlice = ({ items, gap }) =>
  `{"gap":${gap},"items":[${items.map(({ seq, data }) => `{"seq":${seq},"data":${data}}`).join()}]}`

/** The frames of an event, and who may receive them. */
export interface RenderedEvent {
  seq: number
  owner: TicketOwner
  frames: string
}

export interface RenderedPage {
  gap: boolean
  events: RenderedEvent[]
}

const emptyPage: RenderedPage = { gap: false, events: [] }

/** The event's number is sent with its last frame, so that a client with the number has received all of the event. */
function printItem(
  item: Item,
  { ticket, owner }: OwnedTicket,
  message: VisitorMessage | undefined,
): RenderedEvent {
  const { seq } = item
  if (isMoving(item)) return { seq, owner, frames: printFrame('ticket', ticket) + printFrame('gap', {}, seq) }
  const frames = message
    ? printFrame('ticket', ticket) + printFrame('message', message, seq)
    : printFrame('ticket', ticket, seq)
  return { seq, owner, frames }
}

const nameOf = (item: Item) => (isMoving(item) ? item.seq : (item.data.message_id ?? item.data.ticket_id))

/** Tells visitors whose ticket was merged into one that they must not see to read their lists again. */
async function renderMerged(db: Db, projectId: string, items: Item[]): Promise<RenderedEvent[]> {
  const events: RenderedEvent[] = []
  for (const { seq, data } of items.filter(({ data: { cause } }) => cause === 'merged')) {
    const condition = db`t.merged_into_id = ${data.ticket_id!}`
    const gone = await loadVisitorTickets(db, projectId, condition, db`true`)
    for (const { owner } of gone)
      events.push({ seq, owner: { ...owner, merged_into_id: null }, frames: printFrame('gap', {}, seq) })
  }
  return events
}

/** If there are several events of a record, the record is sent once, in its current state. */
const keepLast = (items: Item[]): Item[] => [
  ...new Map(items.map(item => [nameOf(item), item] as const).reverse()).values().toArray().reverse(),
]

async function render(db: Db, projectId: string, { gap, items }: LogItems): Promise<RenderedPage> {
  const last = keepLast(items)
  const messages = new Map(
    (
      await loadVisitorMessages(
        db,
        projectId,
        last.flatMap(({ data }) => data.message_id ?? []),
      )
    ).map(one => [one.id, one]),
  )
  const ticketIds = last.flatMap(({ data: { message_id, ticket_id } }) =>
    message_id ? (messages.get(message_id)?.ticket_id ?? []) : (ticket_id ?? []),
  )
  const found = ticketIds.length
    ? await loadViews(db, projectId, db`t.id = any(${ticketIds}::uuid[])`, ticketIds.length)
    : []
  const views = Map.groupBy(found, ({ ticket }) => ticket.id)
  const isDivided = found.some(({ owner }) => owner.is_divided)
  const foreign = isDivided ? await listForeign(db, projectId, [...messages.keys()]) : new Set()
  const events = last.flatMap(item => {
    const { message_id, ticket_id } = item.data
    const message = message_id ? messages.get(message_id) : undefined
    const seen = views.get((message_id ? message?.ticket_id : ticket_id) ?? '') ?? []
    const isHidden = ({ owner }: OwnedTicket) => owner.view === 'own' && foreign.has(message_id)
    return seen.map(view => printItem(item, view, isHidden(view) ? undefined : message))
  })
  const merged = await renderMerged(db, projectId, last)
  return { gap, events: [...events, ...merged].sort((one, other) => one.seq - other.seq) }
}

/** Turns a page of the log into frames once, however many clients wait for it. */
export function createRenderer(db: Db): (projectId: string, page: LogPage) => Promise<RenderedPage> {
  const pages = new WeakMap<LogPage, Promise<RenderedPage>>()
  return (projectId, page) => {
    const cached = pages.get(page)
    if (cached) return cached
    const part = JSON.parse(page.text) as LogItems
    const rendering = part.items.length || part.gap ? render(db, projectId, part) : Promise.resolve(emptyPage)
    pages.set(page, rendering)
    return rendering
  }
}
