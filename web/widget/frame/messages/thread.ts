import { signal } from '@preact/signals'
import { ask } from '../core/api.ts'
import type { Message, MessageList } from '../core/records.ts'

/** The loaded messages of each conversation. */

export interface Thread {
  items: Message[]
  hasMore: boolean
  state: 'loading' | 'there' | 'failed'
}

const emptyThread: Thread = { items: [], hasMore: false, state: 'loading' }

export const threads = signal<Record<string, Thread>>({})

/** The conversation that is rendered, after its unread messages have been marked. */
export const drawn = signal<string | null>(null)

export const threadOf = (id: string): Thread => threads.value[id] ?? emptyThread

const put = (id: string, change: Partial<Thread>): void => {
  threads.value = { ...threads.peek(), [id]: { ...(threads.peek()[id] ?? emptyThread), ...change } }
}

const byTime = (a: Message, b: Message): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1

const merge = (known: Message[], news: Message[]): Message[] =>
  [...new Map([...known, ...news].map(one => [one.id, one])).values()].sort(byTime)

const pageSize = 40

/** Messages that arrived during a request, whose response may be older. */
const pendingLoads = new Set<Message[]>()

/** Loads the newest page, and keeps the messages known before. */
export async function loadThread(id: string): Promise<void> {
  const known = threads.peek()[id]
  if (!known || known.state === 'failed') put(id, { state: 'loading' })
  const received: Message[] = []
  pendingLoads.add(received)
  try {
    const { items, has_more } = await ask<MessageList>('GET', `/tickets/${id}/messages?limit=${pageSize}`)
    const before = threads.peek()[id]?.items ?? []
    // Messages across a gap must not be shown as if they were adjacent.
    const isJoined = !has_more || before.some(one => one.id === items[0]?.id)
    const kept = isJoined ? before.filter(one => items[0] && byTime(one, items[0]) < 0) : []
    const hasMore = kept.length ? known!.hasMore : has_more
    const newer = received.filter(one => one.ticket_id === id)
    put(id, { items: merge([...kept, ...items], newer), hasMore, state: 'there' })
  } catch {
    if (threads.peek()[id]?.state === 'loading') put(id, { state: 'failed' })
  } finally {
    pendingLoads.delete(received)
  }
}

export async function loadEarlier(id: string): Promise<void> {
  const { items } = threadOf(id)
  const path = `/tickets/${id}/messages?limit=${pageSize}&before=${items[0]?.id}`
  const page = await ask<MessageList>('GET', path)
  put(id, { items: merge(page.items, threadOf(id).items), hasMore: page.has_more })
}

/** Adds or updates a message. A thread that has not been opened is loaded when it is. */
export function putMessage(message: Message): void {
  for (const meanwhile of pendingLoads) meanwhile.push(message)
  const thread = threads.peek()[message.ticket_id]
  if (thread) put(message.ticket_id, { items: merge(thread.items, [message]) })
}

export function forgetThreads(): void {
  threads.value = {}
}

function toggle(message: Message, emoji: string): void {
  const others = message.reactions.filter(one => one.emoji !== emoji || one.reactor_kind !== 'contact')
  const mine = { emoji, reactor_kind: 'contact' as const, count: 1 }
  putMessage({ ...message, reactions: isMine(message, emoji) ? others : [...others, mine] })
}

/** Shown at once, and removed again if the server rejects it. The message may have changed by then. */
export async function react(message: Message, emoji: string): Promise<void> {
  const has = isMine(message, emoji)
  toggle(message, emoji)
  const path = `/tickets/${message.ticket_id}/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`
  try {
    putMessage(await ask<Message>(has ? 'DELETE' : 'PUT', path))
  } catch (error) {
    const now = threadOf(message.ticket_id).items.find(({ id }) => id === message.id)
    if (now && isMine(now, emoji) !== has) toggle(now, emoji)
    throw error
  }
}

export const isMine = (message: Message, emoji: string): boolean =>
  message.reactions.some(one => one.emoji === emoji && one.reactor_kind === 'contact')
