import type { FastifyReply } from 'fastify'
import type { Db } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { eventTypes } from '../events/catalogue.ts'
import type { Page, Read } from '../events/page.ts'
import type { Outcome, Pass, Room, Visitor } from '../events/room.ts'
import type { Seats } from '../events/seats.ts'
import type { Audience } from './audience.ts'
import { gap, printFrame, retry } from './frames.ts'
import type { TabRow } from './queries.ts'
import { Stream } from './stream.ts'
import { openTab } from './tabs.ts'

/** A session of a person in a project. */
export interface Membership extends Pass {
  sessionId: string
  operatorId: string
}

export interface Listener {
  pass: Membership
  /** Made by the page. */
  tab: string
  /** Null is from now on. */
  after: number | null
  reply: FastifyReply
}

/** Where those sit who listen in this process. */
export interface Hall {
  db: Db
  log: Log
  read: Read
  room: Room<Membership>
  seats: Seats
  audience: Audience
  streams: Map<Stream, TabRow>
  stopping: AbortSignal
  /** A tab's stream has ended. */
  closeTab(tab: TabRow): void
}

/** Whoever is further behind reads the lists again instead, which is less to send. */
const farthest = 5_000

const pageLimit = 500

/** Money is for owners, who read it where it is shown. */
const told = eventTypes.filter(type => !type.startsWith('billing.')).join()

/** What ends a stream. */
const farewells = { revoked: printFrame('signed-out'), maintenance: printFrame('maintenance') }

function makeVisitor(stream: Stream, { pass, after }: Listener): Visitor<Membership> {
  const question = { projectId: pass.projectId, after, limit: pageLimit, types: told }
  const answer = (outcome: Outcome) =>
    typeof outcome === 'string' ? stream.end(farewells[outcome]) : stream.send(outcome.text)
  return { pass, question, page: null, answer }
}

/** What was missed, or that this is too much, or that the cursor is of another time. */
async function readFirst(read: Read, { question }: Visitor): Promise<Page> {
  const page = await read(question)
  const behind = question.after === null ? 0 : page.newest_seq - question.after
  if (!page.isAhead && behind <= farthest) return page
  const end = await read({ ...question, after: null })
  return { ...end, text: gap + end.text }
}

/** Tells all that is there, as fast as it is taken. Answers the last page. */
async function catchUp(read: Read, stream: Stream, { question }: Visitor, first: Page): Promise<Page> {
  let page = first
  stream.send(page.text)
  while (page.has_more && stream.isOpen) {
    await stream.drain()
    page = await read({ ...question, after: page.last_seq })
    stream.send(page.text)
  }
  stream.send(printFrame('ready', { last_seq: page.last_seq }, page.last_seq))
  return page
}

function sitDown({ streams, audience, closeTab, stopping }: Hall, stream: Stream, tab: TabRow): void {
  // When the process ends its pages come back elsewhere: their tabs are not gone.
  stream.onClose(() => stopping.aborted || closeTab(tab))
  stream.open()
  stream.send(retry)
  streams.set(stream, tab)
  audience.join(tab.project_id, stream)
  stream.onClose(() => {
    streams.delete(stream)
    audience.leave(tab.project_id, stream)
  })
  if (stopping.aborted) stream.end()
}

/** Opens the stream of a tab; resolves when it has told what was missed. It is in the room before it first reads. */
export async function listen(hall: Hall, listener: Listener): Promise<void> {
  const { db, log, read, room, seats } = hall
  const { pass, tab, reply } = listener
  seats.take(pass.operatorId)
  const stream = new Stream(reply)
  stream.onClose(() => seats.free(pass.operatorId))
  const visitor = makeVisitor(stream, listener)
  const place = room.enter(visitor)
  stream.onClose(place.leave)
  const first = await readFirst(read, visitor)
  const row = { project_id: pass.projectId, operator_id: pass.operatorId, tab, stream: newId() }
  await openTab(db, row)
  sitDown(hall, stream, row)
  try {
    await place.wait(await catchUp(read, stream, visitor, first))
  } catch (error) {
    log.warn({ err: error }, 'A stream could not be followed; its page opens it again')
    stream.end()
  }
}
