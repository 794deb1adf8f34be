import type { FastifyReply } from 'fastify'
import type { Call } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Page } from '../../events/page.ts'
import type { Outcome, Visitor as Waiting } from '../../events/room.ts'
import { printFrame, retry, Stream } from '../../live/live.ts'
import type { ChatDeps } from './deps.ts'
import { toldTypes } from './frames.ts'
import type { Hall, Seat, Ticketed } from './hall.ts'
import { insertTab } from './tabs.ts'
import { isSeenBy, type Visitor } from './visitor.ts'

/** The stream of one open widget: what it missed, then what happens. */

/** Whoever is further behind reads the lists again instead, which is less to send. */
const farthest = 5_000
const pageLimit = 500

const gap = printFrame('gap')

/** Sends of a page what this visitor sees. */
async function tell(hall: Hall, seat: Seat, page: Page): Promise<void> {
  const { gap: isGap, told } = await hall.render(seat.pass.projectId, page)
  const own = told.filter(({ owner }) => isSeenBy(seat.pass.visitor, owner)).map(({ frames }) => frames)
  seat.stream.send((isGap ? gap : '') + own.join(''))
  seat.last_seq = page.last_seq
}

/** One after another: pages come faster than they are looked up. */
function inOrder(hall: Hall, seat: Seat) {
  let last = Promise.resolve()
  return (page: Page): Promise<void> => {
    last = last.then(() => tell(hall, seat, page))
    return last
  }
}

function makeWaiting(hall: Hall, seat: Seat, after: number | null, send: (page: Page) => Promise<void>) {
  const answer = (outcome: Outcome) => {
    if (typeof outcome === 'string') return seat.stream.end(printFrame('end', { reason: outcome }))
    send(outcome).catch(error => giveUp(hall, seat, error))
  }
  const question = { projectId: seat.pass.projectId, after, limit: pageLimit, types: toldTypes }
  const waiting: Waiting<Ticketed> = { pass: seat.pass, question, page: null, answer }
  return waiting
}

function giveUp({ log }: Hall, { stream }: Seat, error: unknown): void {
  log.warn({ err: error }, 'A chat could not be followed; its page opens it again')
  stream.end()
}

/** What was missed, or that this is too much, or that the cursor is of another time. */
async function catchUp(
  { read }: Hall,
  seat: Seat,
  { question }: Waiting,
  send: (page: Page) => Promise<void>,
) {
  let page = await read(question)
  const behind = question.after === null ? 0 : page.newest_seq - question.after
  if (page.isAhead || behind > farthest) {
    page = await read({ ...question, after: null })
    seat.stream.send(gap)
  }
  await send(page)
  while (page.has_more && seat.stream.isOpen) {
    await seat.stream.drain()
    page = await read({ ...question, after: page.last_seq })
    await send(page)
  }
  seat.stream.send(printFrame('ready', { last_seq: page.last_seq }, page.last_seq))
  return page
}

function sitDown({ open, typing, closeTab, stopping }: Hall, seat: Seat): void {
  const { stream, pass, tab } = seat
  stream.open()
  stream.send(retry)
  const own = open.get(pass.projectId) ?? new Set()
  open.set(pass.projectId, own.add(seat))
  typing.join(pass.projectId)
  for (const { owner, frame } of typing.list(pass.projectId))
    if (isSeenBy(pass.visitor, owner)) stream.send(frame)
  stream.onClose(() => {
    // When the process ends its pages come back elsewhere: their tabs are not gone.
    if (!stopping.aborted) closeTab(tab)
    own.delete(seat)
    if (own.size === 0 && open.get(pass.projectId) === own) open.delete(pass.projectId)
  })
  if (stopping.aborted) stream.end()
}

function makeSeat(projectId: string, visitor: Visitor, tab: string, reply: FastifyReply): Seat {
  const { id, contact_id, is_verified, ticket_id } = visitor
  return {
    stream: new Stream(reply),
    pass: {
      id: [id, contact_id, is_verified].join(' '),
      projectId,
      visitor: { id, contact_id, is_verified, ticket_id },
    },
    tab: { project_id: projectId, visitor_id: id, tab, stream: newId() },
    last_seq: 0,
  }
}

/** It is in the room before it first reads, so that no bell is missed between reading and waiting. */
async function listen(hall: Hall, seat: Seat, after: number | null): Promise<void> {
  const { stream, pass, tab } = seat
  hall.seats.take(pass.visitor.id)
  const send = inOrder(hall, seat)
  const waiting = makeWaiting(hall, seat, after, send)
  const place = hall.room.enter(waiting)
  // One listener for all: each costs every open chat memory.
  stream.onClose(() => {
    hall.seats.free(pass.visitor.id)
    place.leave()
  })
  await insertTab(hall.db, tab)
  sitDown(hall, seat)
  try {
    await place.wait(await catchUp(hall, seat, waiting, send))
  } catch (error) {
    giveUp(hall, seat, error)
  }
}

export async function openStream(
  { hall }: ChatDeps,
  { project, request, reply }: Call,
  visitor: Visitor,
  { tab, after }: { tab: string; after?: number },
): Promise<null> {
  if (request.method === 'HEAD') return null
  if (!isId(tab)) throw refuse('tab', 'not_found')
  await listen(hall, makeSeat(project.id, visitor, tab, reply), after ?? null)
  return null
}
