import { checkConnection } from '../core/connection.ts'
import { firstIdle } from '../core/idle.ts'
import { queryClient, refetchOutdated } from '../core/query.ts'
import { reloadMessage } from '../messages/queries.ts'
import { messageKeys } from '../messages/query-keys.ts'
import { nobody, setPresence } from '../presence/presence.ts'
import { postTabState, tab } from '../presence/tab-state.ts'
import { userKeys } from '../users/query-keys.ts'
import { applyEvent, catchUp, type LogEvent } from './apply-event.ts'

/** The stream of the server: events, presence, and the end of the session. */

const minRetryDelayMs = 1_000
const maxRetryDelayMs = 30_000

interface Connection {
  projectId: string
  source: EventSource | null
  /** The sequence number of the last received event. */
  last: number | null
  pause: number
  timer: number | undefined
}

function open(connection: Connection): void {
  const after = connection.last === null ? '' : `&after=${connection.last}`
  const source = new EventSource(`/api/dashboard/projects/${connection.projectId}/live?tab=${tab}${after}`)
  connection.source = source
  const on = (name: string, act: (event: MessageEvent<string>) => void) => source.addEventListener(name, act)
  on('log', event => {
    connection.last = Number(event.lastEventId)
    applyEvent(connection.projectId, JSON.parse(event.data) as LogEvent)
  })
  on('ready', event => {
    // Data fetched before the stream started may be older than its start.
    if (connection.last === null) void firstIdle().then(() => catchUp(connection.projectId))
    connection.last = Number(event.lastEventId) || connection.last
    connection.pause = minRetryDelayMs
    void postTabState(connection.projectId)
  })
  // A message that changed without an event. If reloading fails, the old text stays.
  on(
    'message',
    event => void reloadMessage(connection.projectId, JSON.parse(event.data).message_id).catch(() => {}),
  )
  on(
    'draft',
    () => void queryClient.invalidateQueries({ queryKey: messageKeys.allDrafts(connection.projectId) }),
  )
  on('gap', () => void refetchOutdated())
  on('presence', event => setPresence(JSON.parse(event.data)))
  on('beat', () => void postTabState(connection.projectId))
  on('maintenance', () => openLater(connection))
  // The session may only have been replaced, for example by setting up a second factor.
  on('signed-out', () => openLater(connection))
  // If the connection only broke, the browser reconnects by itself.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) openLater(connection)
    else void checkConnection()
  }
}

function openLater(connection: Connection): void {
  connection.source?.close()
  connection.timer = window.setTimeout(() => void reconnect(connection), connection.pause)
  connection.pause = Math.min(connection.pause * 2, maxRetryDelayMs)
}

/** Refetches the session: a person who is signed out is asked to sign in again. */
async function reconnect(connection: Connection): Promise<void> {
  await queryClient.refetchQueries({ queryKey: userKeys.me() })
  if (connection.timer !== -1) open(connection)
}

/** The last event received for each project, so that nothing is missed after a return. */
const lastSeqs = new Map<string, number>()

/** Listens to a project until the returned function is called. */
export function listen(projectId: string): () => void {
  const last = lastSeqs.get(projectId) ?? null
  const connection: Connection = { projectId, source: null, last, pause: minRetryDelayMs, timer: undefined }
  open(connection)
  return () => {
    window.clearTimeout(connection.timer)
    connection.timer = -1
    connection.source?.close()
    if (connection.last !== null) lastSeqs.set(projectId, connection.last)
    setPresence(nobody)
  }
}
