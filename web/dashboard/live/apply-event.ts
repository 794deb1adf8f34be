import { queryClient, refetchOutdated } from '../core/query.ts'
import type { Key } from '../core/query-key.ts'
import { listLiveKeys, listOutdatedKeys } from '../events/outdated-keys.ts'
import { invalidateConversation, loadNewer, reloadMessage } from '../messages/queries.ts'
import { messageKeys } from '../messages/query-keys.ts'
import { type NewMessage, notify } from '../notifications/notify.ts'
import { findKnown, refreshLists, splitOffLists } from '../tickets/cache.ts'
import { ticketKeys } from '../tickets/query-keys.ts'

/** An event of the log, as sent by the stream. */
export interface LogEvent {
  seq: number
  type: string
  data: {
    ticket_id?: string
    merged_ticket_id?: string
    message_id?: string
    contact_id?: string
    id?: string
  }
}

/** The shortest time between two refetches of lists, however much happens. */
const listIntervalMs = 1_000

let timer: number | undefined
let lastRefresh = 0

/** The keys of queries that events have outdated, by their text. */
const stale = new Map<string, Key>()

/** The tickets of each project whose rows in lists are outdated by events. */
const changed = new Map<string, Set<string>>()

function markOutdated(projectId: string, keys: Key[], tickets: string[]): void {
  const { others, hasLists } = splitOffLists(projectId, keys)
  const isKnown = tickets.length > 0
  for (const key of isKnown ? others : keys) stale.set(JSON.stringify(key), key)
  if (hasLists && isKnown) changed.set(projectId, new Set([...(changed.get(projectId) ?? []), ...tickets]))
  refreshSoon()
}

function refreshSoon(): void {
  if (timer !== undefined || stale.size + changed.size === 0) return
  timer = window.setTimeout(refresh, Math.max(50, lastRefresh + listIntervalMs - Date.now()))
}

async function refresh(): Promise<void> {
  lastRefresh = Date.now()
  const outdated = [...stale.values()].map(refetchOutdated)
  const lists = [...changed].map(([projectId, tickets]) => refreshLists(projectId, [...tickets]))
  stale.clear()
  changed.clear()
  await Promise.all([...outdated, ...lists]).finally(() => {
    timer = undefined
    // The lists may not contain events that happened while they were being fetched.
    refreshSoon()
  })
}

const invalidate = (queryKey: Key) => void refetchOutdated(queryKey)

/** A ticket that is not shown is only marked as stale. */
function applyTicketEvent(projectId: string, ticketId: string): void {
  const known = findKnown(projectId, ticketId)
  if (!known) return
  invalidate(ticketKeys.ticket(projectId, known.short_id))
  void invalidateConversation(projectId, known.short_id)
}

function applyMessageEvent(projectId: string, ticketId: string): void {
  const known = findKnown(projectId, ticketId)
  if (!known) return
  const place = [projectId, known.short_id] as const
  const isShown = queryClient
    .getQueryCache()
    .find({ queryKey: messageKeys.conversation(...place) })
    ?.isActive()
  if (isShown) loadNewer(...place).catch(() => invalidateConversation(...place))
  else void invalidateConversation(...place)
  invalidate(ticketKeys.ticket(projectId, known.short_id))
}

/** Updates the shown data after an event. */
export function applyEvent(projectId: string, { type, data }: LogEvent): void {
  const { ticket_id: ticketId, merged_ticket_id: mergedId, message_id: messageId } = data
  if (type === 'message.created' && ticketId) applyMessageEvent(projectId, ticketId)
  else if (type.startsWith('message.') && messageId)
    reloadMessage(projectId, messageId).catch(() => invalidate(messageKeys.conversations(projectId)))
  else if (ticketId) applyTicketEvent(projectId, ticketId)
  if (type === 'message.created') notify(projectId, data as NewMessage).catch(() => {})
  const tickets = [ticketId, mergedId].filter(id => id !== undefined)
  markOutdated(projectId, listOutdatedKeys(projectId, type), tickets)
}

/** Refetches everything that events would have kept up to date. */
export function catchUp(projectId: string): void {
  for (const key of listLiveKeys(projectId)) invalidate(key)
}
