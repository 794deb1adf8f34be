import { setTimeout as sleep } from 'node:timers/promises'
import { inChunks } from '../core/async/chunked.ts'
import { inTime } from '../core/async/in-time.ts'
import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { measureConnections } from '../events/connection-metrics.ts'
import { ConnectionQuota } from '../events/connection-quota.ts'
import { followLog } from '../events/follow-log.ts'
import { type CheckCredentials, Hub } from '../events/hub.ts'
import { createLogReader } from '../events/log-page.ts'
import { onDraftChange } from '../events/notifier.ts'
import { Audience } from './audience.ts'
import { draftFrame, heartbeatFrame, printLog } from './frames.ts'
import { type LiveHub, type LiveRequest, openLiveStream, type SessionCredential } from './listen.ts'
import { deleteOperatorTabs, listClosedStreams, type OperatorTabRow, type TabState } from './queries.ts'
import { createTabCloser, createTabUpdates } from './tabs.ts'

export interface LiveServerDeps {
  config: Pick<Config, 'tabsPerOperator' | 'tabsPerProcess'>
  db: Db
  log: Log
  checkSessions: CheckCredentials<SessionCredential>
  /** Aborted when the process is told to stop. */
  stopping: AbortSignal
}

export interface Live {
  listen(request: LiveRequest): Promise<void>
  /** Records what a tab shows. */
  show(state: TabState): Promise<void>
  stop(): void
}

/** Below the 30 seconds after which some proxies cut a silent connection. */
const heartbeatIntervalMs = 20_000

/** Milliseconds between closing two streams at a stop, so that 5,000 pages reconnect over a second and not all at once. */
const stopPauseMs = 10

/** Sends a heartbeat to every connection, and closes those whose tabs no longer report. */
async function keepAlive({ streams, db }: LiveHub): Promise<void> {
  const open = [...streams]
  if (open.length === 0) return
  const lost = new Set<string>()
  for (const [projectId, tabs] of Map.groupBy([...streams.values()], tab => tab.project_id)) {
    const ids = tabs.map(({ stream }) => stream)
    for (const { stream } of await listClosedStreams(db, projectId, ids)) lost.add(stream)
  }
  await inChunks(open, ([stream, tab]) => (lost.has(tab.stream) ? stream.end() : stream.send(heartbeatFrame)))
}

const endStreams = ({ streams }: LiveHub): Promise<void> =>
  inChunks(
    [...streams.keys()],
    stream => stream.end(),
    () => sleep(stopPauseMs),
  )

const openLiveHub = ({ config, db, log, checkSessions, stopping }: LiveServerDeps): LiveHub => {
  const read = createLogReader(db, printLog)
  return {
    db,
    log,
    read,
    hub: new Hub<SessionCredential>(
      read,
      (projectId, credentials) => inTime(checkSessions(projectId, credentials)),
      {
        checksFirst: false,
      },
    ),
    connections: new ConnectionQuota({
      perHolder: config.tabsPerOperator,
      total: config.tabsPerProcess,
      reason: 'too_many_tabs',
    }),
    audience: new Audience(db, log),
    streams: new Map(),
    stopping,
    closeTab: createTabCloser(
      (projectId, tabs: OperatorTabRow[]) => deleteOperatorTabs(db, projectId, tabs),
      log,
    ),
  }
}

/** Tells the operator's tabs to reload the draft. */
const sendDraftChanges = ({ streams }: LiveHub): (() => void) =>
  onDraftChange((projectId, operatorId) => {
    for (const [stream, tab] of streams)
      if (tab.project_id === projectId && tab.operator_id === operatorId) stream.send(draftFrame)
  })

export function openLive(deps: LiveServerDeps): Live {
  const liveHub = openLiveHub(deps)
  const { db, log, hub, connections, audience, stopping } = liveHub
  const report = (error: unknown) => log.warn({ err: error }, 'Could not check whether tabs are still open')
  const timer = setInterval(() => void keepAlive(liveHub).catch(report), heartbeatIntervalMs)
  const undo = [
    followLog(hub, db, log),
    audience.watch(),
    sendDraftChanges(liveHub),
    measureConnections('live', connections),
    () => clearInterval(timer),
  ]
  stopping.addEventListener('abort', () => void endStreams(liveHub))
  return {
    listen: request => openLiveStream(liveHub, request),
    show: createTabUpdates(db),
    stop() {
      for (const one of undo) one()
    },
  }
}
