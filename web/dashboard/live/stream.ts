import { checkConnection } from '../core/connection.ts'
import { firstIdle } from '../core/idle.ts'
import { queryClient } from '../core/query.ts'
import { createStore } from '../core/store.ts'
import { catchUp, follow, type LogEvent } from './follow.ts'
import { postTabState, tab } from './tab-state.ts'

/** The stream of the server: events, presence, and the end of the session. */

export interface Presence {
  operators: {
    operator_id: string
    status: string
    status_text: string | null
    status_emoji: string | null
  }[]
  tickets: { ticket_id: string; operator_id: string; is_typing: boolean; is_internal: boolean }[]
  /** Operators whose reply to a ticket waits to be sent. */
  sending: { ticket_id: string; operator_id: string }[]
  /** Visitors who have the ticket open in the chat on a website. */
  visitors: { ticket_id: string; is_watching: boolean; is_typing: boolean }[]
  /** For the open tickets: the time up to which the contact has read them. */
  reads: { ticket_id: string; read_at: string }[]
}

const nobody: Presence = { operators: [], tickets: [], sending: [], visitors: [], reads: [] }
const presence = createStore<Presence>(nobody)
export const usePresence = presence.use

const first = 1_000
const maxRetryDelayMs = 30_000

interface Line {
  projectId: string
  source: EventSource | null
  /** The sequence number of the last received event. */
  last: number | null
  pause: number
  timer: number | undefined
}

function open(line: Line): void {
  const after = line.last === null ? '' : `&after=${line.last}`
  const source = new EventSource(`/api/dashboard/projects/${line.projectId}/live?tab=${tab}${after}`)
  line.source = source
  const on = (name: string, act: (event: MessageEvent<string>) => void) => source.addEventListener(name, act)
  on('log', event => {
    line.last = Number(event.lastEventId)
    follow(line.projectId, JSON.parse(event.data) as LogEvent)
  })
  on('ready', event => {
    // Data fetched before the stream started may be older than its start.
    if (line.last === null) void firstIdle().then(() => catchUp(line.projectId))
    line.last = Number(event.lastEventId) || line.last
    line.pause = first
    void postTabState(line.projectId)
  })
  on('gap', () => void queryClient.invalidateQueries())
  on('presence', event => presence.set(JSON.parse(event.data)))
  on('beat', () => void postTabState(line.projectId))
  on('maintenance', () => openLater(line))
  // The session may only have been replaced, for example by setting up a second factor.
  on('signed-out', () => openLater(line))
  // If the connection only broke, the browser reconnects by itself.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) openLater(line)
    else void checkConnection()
  }
}

function openLater(line: Line): void {
  line.source?.close()
  line.timer = window.setTimeout(() => void ask(line), line.pause)
  line.pause = Math.min(line.pause * 2, maxRetryDelayMs)
}

/** Refetches the session: a person who is signed out is asked to sign in again. */
async function ask(line: Line): Promise<void> {
  await queryClient.refetchQueries({ queryKey: ['me'] })
  if (line.timer !== -1) open(line)
}

/** The last event received for each project, so that nothing is missed after a return. */
const heard = new Map<string, number>()

/** Listens to a project until the returned function is called. */
export function listen(projectId: string): () => void {
  const last = heard.get(projectId) ?? null
  const line: Line = { projectId, source: null, last, pause: first, timer: undefined }
  open(line)
  return () => {
    window.clearTimeout(line.timer)
    line.timer = -1
    line.source?.close()
    if (line.last !== null) heard.set(projectId, line.last)
    presence.set(nobody)
  }
}
