import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../core/endpoint.ts'
import { refuse } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { LogPage } from '../../events/log-page.ts'
import { bucketOf } from '../../limits/address.ts'
import { spendBudget } from '../../limits/rate-limit.ts'
import { printFrame, retryFrame, Stream } from '../../live/live.ts'
import type { ChatDeps } from './deps.ts'
import { gapFrame, maxPageEvents, type StreamClient } from './project-stream.ts'
import { visitorEventTypes } from './render-log.ts'
import type { StreamHub } from './stream-hub.ts'
import { insertVisitorTab } from './tabs.ts'
import { isSeenBy, type Visitor } from './visitor.ts'

/** The stream of an open widget: first missed events, then new ones. */

/** A client that is further behind reads the lists again instead, which is less to send. */
const maxMissedEvents = 5_000

/** How often a visitor may open the stream per minute. Each time may read much of the log. */
const maxStreamsPerMinute = 60

/** Sends the part of a page that this visitor may see. */
async function sendPage(streamHub: StreamHub, client: StreamClient, page: LogPage): Promise<void> {
  const { gap: isGap, events } = await streamHub.render(client.projectId, page)
  const own = events.filter(({ owner }) => isSeenBy(client.visitor, owner)).map(({ frames }) => frames)
  client.stream.send((isGap ? gapFrame : '') + own.join(''))
  client.last_seq = page.last_seq
}

/** Sends missed events, or `gap` if there are too many or the cursor is invalid. */
async function catchUp(streamHub: StreamHub, client: StreamClient, after: number | null): Promise<void> {
  const question = { projectId: client.projectId, after, limit: maxPageEvents, types: visitorEventTypes }
  let page = await streamHub.read(question)
  if (page.isAhead || (after !== null && page.newest_seq - after > maxMissedEvents)) {
    page = await streamHub.read({ ...question, after: null })
    client.stream.send(gapFrame)
  }
  await sendPage(streamHub, client, page)
  while (page.has_more && client.stream.isOpen) {
    await client.stream.drain()
    page = await streamHub.read({ ...question, after: page.last_seq })
    await sendPage(streamHub, client, page)
  }
  client.stream.send(printFrame('ready', { last_seq: page.last_seq }, page.last_seq))
}

/** Takes a connection of the visitor's quota and one of the address's quota, or neither. */
function acquireConnections(
  { visitorConnections, addressConnections }: StreamHub,
  { visitor, address }: StreamClient,
): void {
  addressConnections.acquire(address)
  try {
    visitorConnections.acquire(visitor.id)
  } catch (error) {
    addressConnections.release(address)
    throw error
  }
}

/** One listener for everything that must end with the stream, because each listener takes memory in every open chat. */
function joinHub(streamHub: StreamHub, client: StreamClient) {
  const { stream, projectId, visitor, address, tab } = client
  acquireConnections(streamHub, client)
  const projectStream = streamHub.join(client)
  stream.onClose(() => {
    streamHub.visitorConnections.release(visitor.id)
    streamHub.addressConnections.release(address)
    streamHub.leave(client)
    // When the process ends, pages reconnect to another one: their tabs are still open.
    if (!streamHub.stopping.aborted) streamHub.closeTab(tab)
  })
  streamHub.typing.join(projectId)
  return projectStream
}

function startStream({ typing, stopping }: StreamHub, { stream, projectId, visitor }: StreamClient): void {
  stream.open()
  stream.send(retryFrame)
  for (const { owner, frame } of typing.list(projectId)) if (isSeenBy(visitor, owner)) stream.send(frame)
  if (stopping.aborted) stream.end()
}

function makeClient(
  projectId: string,
  visitor: Visitor,
  tab: string,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): StreamClient {
  const { id, contact_id, is_verified, ticket_id } = visitor
  return {
    stream: new Stream(reply),
    projectId,
    visitor: { id, contact_id, is_verified, ticket_id },
    address: bucketOf(ip),
    tab: { project_id: projectId, visitor_id: id, tab, stream: newId() },
    last_seq: 0,
    pending: [],
  }
}

/** Joins the project stream before the first read, so that no event is missed between reading and waiting. */
async function listen(streamHub: StreamHub, client: StreamClient, after: number | null): Promise<void> {
  const projectStream = joinHub(streamHub, client)
  await insertVisitorTab(streamHub.db, client.tab)
  startStream(streamHub, client)
  try {
    await projectStream.started
    await catchUp(streamHub, client, after)
    projectStream.release(client)
  } catch (error) {
    streamHub.log.warn({ err: error }, 'The stream of a chat failed and was closed; its page reconnects')
    client.stream.end()
  }
}

export async function openStream(
  { streamHub, limiter }: ChatDeps,
  { project, request, reply }: Call,
  visitor: Visitor,
  { tab, after }: { tab: string; after?: number },
): Promise<null> {
  if (request.method === 'HEAD') return null
  if (!isId(tab)) throw refuse('tab', 'not_found')
  await spendBudget(limiter, `visitor-streams:${visitor.id}`, maxStreamsPerMinute)
  await listen(streamHub, makeClient(project.id, visitor, tab, request, reply), after ?? null)
  return null
}
