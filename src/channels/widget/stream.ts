import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Page } from '../../events/page.ts'
import { bucketOf } from '../../limits/address.ts'
import { spend } from '../../limits/spend.ts'
import { printFrame, retry, Stream } from '../../live/live.ts'
import type { ChatDeps } from './deps.ts'
import { gap, pageLimit, type Seat } from './feed.ts'
import { toldTypes } from './frames.ts'
import type { Hall } from './hall.ts'
import { insertTab } from './tabs.ts'
import { isSeenBy, type Visitor } from './visitor.ts'

/** The stream of an open widget: first missed events, then new ones. */

/** Clients that are further behind read the lists again instead, which is less to send. */
const farthest = 5_000

/** How often a visitor may open the stream per minute. Each time may read much of the log. */
const mostOpened = 60

/** Sends the part of a page that this visitor may see. */
async function tell(hall: Hall, seat: Seat, page: Page): Promise<void> {
  const { gap: isGap, told } = await hall.render(seat.projectId, page)
  const own = told.filter(({ owner }) => isSeenBy(seat.visitor, owner)).map(({ frames }) => frames)
  seat.stream.send((isGap ? gap : '') + own.join(''))
  seat.last_seq = page.last_seq
}

/** Sends missed events, or `gap` if there are too many or the cursor is invalid. */
async function catchUp(hall: Hall, seat: Seat, after: number | null): Promise<void> {
  const question = { projectId: seat.projectId, after, limit: pageLimit, types: toldTypes }
  let page = await hall.read(question)
  if (page.isAhead || (after !== null && page.newest_seq - after > farthest)) {
    page = await hall.read({ ...question, after: null })
    seat.stream.send(gap)
  }
  await tell(hall, seat, page)
  while (page.has_more && seat.stream.isOpen) {
    await seat.stream.drain()
    page = await hall.read({ ...question, after: page.last_seq })
    await tell(hall, seat, page)
  }
  seat.stream.send(printFrame('ready', { last_seq: page.last_seq }, page.last_seq))
}

/** Takes a connection of the visitor's quota and one of the address's quota, or neither. */
function takePlaces({ seats, addresses }: Hall, { visitor, address }: Seat): void {
  addresses.take(address)
  try {
    seats.take(visitor.id)
  } catch (error) {
    addresses.free(address)
    throw error
  }
}

/** A single listener for everything that ends with the stream, because each listener takes memory in every open chat. */
function sitDown(hall: Hall, seat: Seat) {
  const { stream, projectId, visitor, address, tab } = seat
  takePlaces(hall, seat)
  const feed = hall.enter(seat)
  stream.onClose(() => {
    hall.seats.free(visitor.id)
    hall.addresses.free(address)
    hall.leave(seat)
    // When the process ends, pages reconnect to another one: their tabs are still open.
    if (!hall.stopping.aborted) hall.closeTab(tab)
  })
  hall.typing.join(projectId)
  return feed
}

function openUp({ typing, stopping }: Hall, { stream, projectId, visitor }: Seat): void {
  stream.open()
  stream.send(retry)
  for (const { owner, frame } of typing.list(projectId)) if (isSeenBy(visitor, owner)) stream.send(frame)
  if (stopping.aborted) stream.end()
}

function makeSeat(
  projectId: string,
  visitor: Visitor,
  tab: string,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Seat {
  const { id, contact_id, is_verified, ticket_id } = visitor
  return {
    stream: new Stream(reply),
    projectId,
    visitor: { id, contact_id, is_verified, ticket_id },
    address: bucketOf(ip),
    tab: { project_id: projectId, visitor_id: id, tab, stream: newId() },
    last_seq: 0,
    held: [],
  }
}

/** Joins the feed before it first reads, so that nothing is missed between reading and waiting. */
async function listen(hall: Hall, seat: Seat, after: number | null): Promise<void> {
  const feed = sitDown(hall, seat)
  await insertTab(hall.db, seat.tab)
  openUp(hall, seat)
  try {
    await feed.started
    await catchUp(hall, seat, after)
    feed.release(seat)
  } catch (error) {
    hall.log.warn({ err: error }, 'A chat could not be followed; its page opens it again')
    seat.stream.end()
  }
}

export async function openStream(
  { hall, limiter }: ChatDeps,
  { project, request, reply }: Call,
  visitor: Visitor,
  { tab, after }: { tab: string; after?: number },
): Promise<null> {
  if (request.method === 'HEAD') return null
  if (!isId(tab)) throw refuse('tab', 'not_found')
  await spend(limiter, `visitor-streams:${visitor.id}`, mostOpened)
  await listen(hall, makeSeat(project.id, visitor, tab, request, reply), after ?? null)
  return null
}
