import { checkConnection } from '../core/connection.ts'
import { firstIdle } from '../core/idle.ts'
import { queryClient } from '../core/query.ts'
import { createStore } from '../core/store.ts'
import { catchUp, follow, type LogEvent } from './follow.ts'
import { postTabState, tab } from './tab-state.ts'

/** What the server pushes: what has happened, who is there, and when it is over. */

export interface Presence {
  operators: {
    operator_id: string
    status: string
    status_text: string | null
    status_emoji: string | null
  }[]
  tickets: { ticket_id: string; operator_id: string; is_typing: boolean; is_internal: boolean }[]
  /** Whose reply waits to be sent. */
  sending: { ticket_id: string; operator_id: string }[]
  /** Whoever has the ticket open in the chat on a website. */
  visitors: { ticket_id: string; is_watching: boolean; is_typing: boolean }[]
  /** Of what is looked at: until when its contact has read it. */
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
  /** The number of the last event that was heard. */
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
    // What was read before the stream began may be older than its beginning.
    if (line.last === null) void firstIdle().then(() => catchUp(line.projectId))
    line.last = Number(event.lastEventId) || line.last
    line.pause = first
    void postTabState(line.projectId)
  })
  on('gap', () => void queryClient.invalidateQueries())
  on('presence', event => presence.set(JSON.parse(event.data)))
  on('beat', () => void postTabState(line.projectId))
  on('maintenance', () => openLater(line))
  // The session may only have become another one, as it does when a second step is set up.
  on('signed-out', () => openLater(line))
  // While it is only broken the browser comes back by itself.
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

/** Whoever is signed out learns it here, and signs in again. */
async function ask(line: Line): Promise<void> {
  await queryClient.refetchQueries({ queryKey: ['me'] })
  if (line.timer !== -1) open(line)
}

/** How far each project has been heard: whoever comes back misses nothing. */
const heard = new Map<string, number>()

/** Listens to a project until the function that it returns is called. */
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
