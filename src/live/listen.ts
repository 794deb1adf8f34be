import type { FastifyReply } from 'fastify'
import type { Db } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { eventTypes } from '../events/catalogue.ts'
import type { ConnectionQuota } from '../events/connection-quota.ts'
import type { Credential, Hub, Subscriber, WaitOutcome } from '../events/hub.ts'
import type { LogPage, ReadLog } from '../events/log-page.ts'
import type { Audience } from './audience.ts'
import { liveGapFrame, printFrame, retryFrame } from './frames.ts'
import type { OperatorTabRow } from './queries.ts'
import { Stream } from './stream.ts'
import { openTab } from './tabs.ts'

/** A session of a person in a project. */
export interface SessionCredential extends Credential {
  sessionId: string
  operatorId: string
}

export interface LiveRequest {
  credential: SessionCredential
  /** An id made by the page. */
  tab: string
  /** Null means from now on. */
  after: number | null
  reply: FastifyReply
}

/** The streams that are open in this process. */
export interface LiveHub {
  db: Db
  log: Log
  read: ReadLog
  hub: Hub<SessionCredential>
  connections: ConnectionQuota
  audience: Audience
  streams: Map<Stream, OperatorTabRow>
  stopping: AbortSignal
  /** A tab's stream has ended. */
  closeTab(tab: OperatorTabRow): void
}

/** A client that is further behind reads the lists again instead, which is less to send. */
const maxMissedEvents = 5_000

const maxPageEvents = 500

/** Only owners receive billing events, and they read them from the billing page. */
const sentTypes = eventTypes.filter(type => !type.startsWith('billing.')).join()

/** The last frame of a stream, by the reason why it ends. */
const endFrames = { revoked: printFrame('signed-out'), maintenance: printFrame('maintenance') }

function makeSubscriber(stream: Stream, { credential, after }: LiveRequest): Subscriber<SessionCredential> {
  const query = { projectId: credential.projectId, after, limit: maxPageEvents, types: sentTypes }
  const answer = (outcome: WaitOutcome) =>
    typeof outcome === 'string' ? stream.end(endFrames[outcome]) : stream.send(outcome.text)
  return { credential, query, page: null, answer }
}

/** The missed events, or that there are too many, or that the cursor does not belong to this log. */
async function readFirst(read: ReadLog, { query }: Subscriber): Promise<LogPage> {
  const page = await read(query)
  const behind = query.after === null ? 0 : page.newest_seq - query.after
  if (!page.isAhead && behind <= maxMissedEvents) return page
  const end = await read({ ...query, after: null })
  return { ...end, text: liveGapFrame + end.text }
}

/** Sends all events up to now, as fast as the client reads them. Returns the last page. */
async function catchUp(
  read: ReadLog,
  stream: Stream,
  { query }: Subscriber,
  first: LogPage,
): Promise<LogPage> {
  let page = first
  stream.send(page.text)
  while (page.has_more && stream.isOpen) {
    await stream.drain()
    page = await read({ ...query, after: page.last_seq })
    stream.send(page.text)
  }
  stream.send(printFrame('ready', { last_seq: page.last_seq }, page.last_seq))
  return page
}

function addStream(
  { streams, audience, closeTab, stopping }: LiveHub,
  stream: Stream,
  tab: OperatorTabRow,
): void {
  // When the process ends, its pages reconnect to another process, so their tabs are still open.
  stream.onClose(() => stopping.aborted || closeTab(tab))
  stream.open()
  stream.send(retryFrame)
  streams.set(stream, tab)
  audience.join(tab.project_id, stream)
  stream.onClose(() => {
    streams.delete(stream)
    audience.leave(tab.project_id, stream)
  })
  if (stopping.aborted) stream.end()
}

/** Opens the stream of a tab, and resolves when the missed events have been sent. It subscribes before its first read. */
export async function openLiveStream(liveHub: LiveHub, request: LiveRequest): Promise<void> {
  const { db, log, read, hub, connections } = liveHub
  const { credential, tab, reply } = request
  connections.acquire(credential.operatorId)
  const stream = new Stream(reply)
  stream.onClose(() => connections.release(credential.operatorId))
  const subscriber = makeSubscriber(stream, request)
  const subscription = hub.subscribe(subscriber)
  stream.onClose(subscription.leave)
  const first = await readFirst(read, subscriber)
  const row = { project_id: credential.projectId, operator_id: credential.operatorId, tab, stream: newId() }
  await openTab(db, row)
  addStream(liveHub, stream, row)
  try {
    await subscription.wait(await catchUp(read, stream, subscriber, first))
  } catch (error) {
    log.warn({ err: error }, 'A stream failed and was closed; its page reconnects')
    stream.end()
  }
}
