import { queryClient } from '../core/query.ts'
import { invalidateConversation, loadNewer, reloadMessage } from '../messages/queries.ts'
import { type NewMessage, notify } from '../notifications/notify.ts'
import { findKnown } from '../tickets/cache.ts'
import { listOutdated, liveQueries } from './outdated-queries.ts'

/** An event of the log, as sent by the stream. */
export interface LogEvent {
  seq: number
  type: string
  data: { ticket_id?: string; message_id?: string; contact_id?: string; id?: string }
}

/** The shortest time between two refetches of lists, however much happens. */
const listIntervalMs = 1_000

let timer: number | undefined
let lastRefresh = 0

/** Queries that events have outdated, as `[name, project]`. */
const stale = new Map<string, [name: string, projectId: string]>()

function markOutdated(projectId: string, names: readonly string[]): void {
  for (const name of names) stale.set(`${name} ${projectId}`, [name, projectId])
  refreshSoon()
}

function refreshSoon(): void {
  if (timer !== undefined || stale.size === 0) return
  timer = window.setTimeout(refresh, Math.max(50, lastRefresh + listIntervalMs - Date.now()))
}

async function refresh(): Promise<void> {
  lastRefresh = Date.now()
  const keys = [...stale.values()]
  stale.clear()
  await Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey }))).finally(() => {
    timer = undefined
    // The lists may not contain events that happened while they were being fetched.
    refreshSoon()
  })
}

const invalidate = (...queryKey: string[]) => void queryClient.invalidateQueries({ queryKey })

/** A ticket that is not shown is only marked as stale. */
function applyTicketEvent(projectId: string, ticketId: string): void {
  const known = findKnown(projectId, ticketId)
  if (!known) return
  invalidate('ticket', projectId, known.short_id)
  void invalidateConversation(projectId, known.short_id)
}

function applyMessageEvent(projectId: string, ticketId: string): void {
  const known = findKnown(projectId, ticketId)
  if (!known) return
  const place = [projectId, known.short_id] as const
  const isShown = queryClient
    .getQueryCache()
    .find({ queryKey: ['messages', ...place] })
    ?.isActive()
  if (isShown) loadNewer(...place).catch(() => invalidateConversation(...place))
  else void invalidateConversation(...place)
  invalidate('ticket', projectId, known.short_id)
}

/** Updates the shown data after an event. */
export function applyEvent(projectId: string, { type, data }: LogEvent): void {
  const { ticket_id: ticketId, message_id: messageId } = data
  if (type === 'message.created' && ticketId) applyMessageEvent(projectId, ticketId)
  else if (type.startsWith('message.') && messageId)
    reloadMessage(projectId, messageId).catch(() => invalidate('messages', projectId))
  else if (ticketId) applyTicketEvent(projectId, ticketId)
  if (type === 'message.created') notify(projectId, data as NewMessage).catch(() => {})
  markOutdated(projectId, listOutdated(type))
}

/** Refetches everything that events would have kept up to date. */
export function catchUp(projectId: string): void {
  for (const name of liveQueries) invalidate(name, projectId)
}
