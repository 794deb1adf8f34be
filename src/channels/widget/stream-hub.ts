import { setTimeout as sleep } from 'node:timers/promises'
import { inChunks } from '../../core/async/chunked.ts'
import type { Config } from '../../core/config/config.ts'
import type { Db } from '../../core/db/db.ts'
import type { Log } from '../../core/telemetry/log.ts'
import { ConnectionQuota } from '../../events/connection-quota.ts'
import { followLog } from '../../events/follow-log.ts'
import { Hub } from '../../events/hub.ts'
import { createLogReader, type LogPage, type ReadLog } from '../../events/log-page.ts'
import { onRead } from '../../events/notifier.ts'
import { createTabCloser, printFrame } from '../../live/live.ts'
import { ProjectStream, type StreamClient } from './project-stream.ts'
import { findEndedVisitors } from './queries.ts'
import { createRenderer, printPart, type RenderedPage } from './render-log.ts'
import { deleteVisitorTabs, type VisitorTabRow } from './tabs.ts'
import { Typing } from './typing.ts'

/** The open widgets of this process, and what they share. */

export interface StreamHub {
  db: Db
  log: Log
  read: ReadLog
  visitorConnections: ConnectionQuota
  /** The connections of each address. */
  addressConnections: ConnectionQuota
  render(projectId: string, page: LogPage): Promise<RenderedPage>
  projects: Map<string, ProjectStream>
  /** Adds a client to its project stream, which exists as long as it has clients. */
  join(client: StreamClient): ProjectStream
  leave(client: StreamClient): void
  typing: Typing
  stopping: AbortSignal
  closeTab(tab: VisitorTabRow): void
  stop(): void
}

interface Deps {
  config: Pick<Config, 'visitorsPerProcess'>
  db: Db
  log: Log
  stopping: AbortSignal
}

const tabsPerVisitor = 10

/** Below the 30 seconds after which some proxies cut a silent connection. */
const heartbeatIntervalMs = 20_000

/** Milliseconds between checks for expired tokens. A check of 5,000 chats takes the database 45 ms. */
const checkIntervalMs = 3_000

/** Milliseconds between closing two streams at a stop, so that 5,000 pages reconnect over a second and not all at once. */
const stopPauseMs = 10

type ProjectStreams = StreamHub['projects']

const clientsOf = (streams: ProjectStreams): StreamClient[] =>
  [...streams.values()].flatMap(({ clients }) => [...clients])

const endStream = ({ stream }: StreamClient, reason: string): void =>
  stream.end(printFrame('end', { reason }))

/** Ends streams whose token is no longer valid or now belongs to something else. During maintenance, ends all. */
async function check(db: Db, streams: ProjectStreams): Promise<void> {
  for (const [projectId, projectStream] of [...streams]) {
    const clients = [...projectStream.clients]
    const { isMaintenance, ended } = await findEndedVisitors(db, projectId, clients)
    if (isMaintenance) await inChunks(clients, client => endStream(client, 'maintenance'))
    else for (const n of ended) endStream(clients[n - 1]!, 'revoked')
  }
}

const sendHeartbeats = async (streams: ProjectStreams): Promise<void> => {
  for (const projectStream of streams.values())
    await inChunks([...projectStream.clients], client =>
      client.stream.send(printFrame('beat', {}, projectStream.positionOf(client))),
    )
}

/** Repeats `act`, never twice at the same time. */
function repeat(intervalMs: number, log: Log, act: () => Promise<void>): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    act()
      .catch(error => log.warn({ err: error }, 'Could not check the open chats'))
      .finally(() => {
        isRunning = false
      })
  }, intervalMs)
  return () => clearInterval(timer)
}

const openProjectStreams = (streams: ProjectStreams, make: (projectId: string) => ProjectStream) => ({
  join(client: StreamClient): ProjectStream {
    const projectStream = streams.get(client.projectId) ?? make(client.projectId)
    streams.set(client.projectId, projectStream)
    projectStream.add(client)
    return projectStream
  },
  leave(client: StreamClient): void {
    const projectStream = streams.get(client.projectId)
    projectStream?.remove(client)
    if (projectStream?.clients.size !== 0) return
    projectStream.stop()
    streams.delete(client.projectId)
  },
})

export function openStreamHub({ config, db, log, stopping }: Deps): StreamHub {
  const read = createLogReader(db, printPart)
  const streams: ProjectStreams = new Map()
  const hub = new Hub(read, async () => ({ isMaintenance: false, revoked: new Set() }), {
    checksFirst: false,
  })
  const typing = new Typing(db, log, (projectId, owner, frame) => {
    for (const { stream } of streams.get(projectId)?.listClientsSeeing(owner) ?? []) stream.send(frame)
  })
  const stops = [
    followLog(hub, db, log),
    typing.watch(id => streams.has(id)),
    onRead((projectId, ticketId) => streams.get(projectId)?.resendTicket(ticketId)),
    repeat(heartbeatIntervalMs, log, () => sendHeartbeats(streams)),
    repeat(checkIntervalMs, log, () => check(db, streams)),
  ]
  const endStreams = () =>
    inChunks(
      clientsOf(streams),
      ({ stream }) => stream.end(),
      () => sleep(stopPauseMs),
    )
  stopping.addEventListener('abort', () => void endStreams())
  return {
    ...{ db, log, read, projects: streams, typing, stopping },
    ...openProjectStreams(streams, projectId => new ProjectStream({ db, log, read, hub }, projectId)),
    visitorConnections: new ConnectionQuota({
      perHolder: tabsPerVisitor,
      total: config.visitorsPerProcess,
      reason: 'too_many_tabs',
    }),
    addressConnections: new ConnectionQuota({
      perHolder: Math.ceil(config.visitorsPerProcess / 5),
      total: config.visitorsPerProcess,
      reason: 'too_many_chats',
    }),
    render: createRenderer(db),
    closeTab: createTabCloser(
      (projectId, tabs: VisitorTabRow[]) => deleteVisitorTabs(db, projectId, tabs),
      log,
    ),
    stop() {
      for (const stop of stops) stop()
    },
  }
}
