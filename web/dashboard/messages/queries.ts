import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { messageKeys } from './query-keys.ts'

export type Message = Shape<'Message'>

/** The email as which a message arrived; null for messages that were written here. */
export const receivedEmailOf = ({ email }: Message): Message['email'] =>
  email?.thread_reason === 'sent' ? null : email

export interface ConversationData {
  /** Oldest first. */
  items: Message[]
  hasOlder: boolean
}

const pageSize = 40

type Beside = { before_id: string } | { after_id: string } | object

async function read(project_id: string, number: string, order: 'asc' | 'desc', beside: Beside) {
  const query = { order, page_size: pageSize, count: false, ...beside }
  const path = { project_id, ticket_id: number }
  return take(api.GET('/projects/{project_id}/tickets/{ticket_id}/messages', { params: { path, query } }))
}

const order = (one: Message, other: Message): number =>
  one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : one.id < other.id ? -1 : 1

/** Merges by id; the newer version of a message wins. Oldest first. */
export function mergeMessages(known: Message[], read: Message[]): Message[] {
  const byId = new Map([...known, ...read].map(message => [message.id, message]))
  return [...byId.values()].sort(order)
}

/** The end of a conversation, joined with the earlier messages that were loaded, if they are adjacent. */
export const conversationQuery = (projectId: string, number: string) =>
  queryOptions({
    queryKey: messageKeys.conversation(projectId, number),
    queryFn: async (): Promise<ConversationData> => {
      const before = new Set(
        queryClient.getQueryData<ConversationData>(messageKeys.conversation(projectId, number))?.items,
      )
      const { items, has_more } = await read(projectId, number, 'desc', {})
      const end = items.reverse()
      const known = queryClient.getQueryData<ConversationData>(messageKeys.conversation(projectId, number))
      // Messages that arrived during the request, whose response may be older.
      const isNews = (one: Message) => !before.has(one) && !(end[0] && order(one, end[0]) < 0)
      const newest = mergeMessages(end, known?.items.filter(isNews) ?? [])
      const meeting = known?.items.findIndex(({ id }) => id === end[0]?.id) ?? -1
      return meeting > 0
        ? { items: mergeMessages(known!.items.slice(0, meeting), newest), hasOlder: known!.hasOlder }
        : { items: newest, hasOlder: has_more }
    },
    staleTime: 60_000,
  })

/** So that the conversation is there when the ticket is opened. */
export function prefetchConversation(projectId: string, number: string): void {
  void queryClient.prefetchQuery(conversationQuery(projectId, number))
}

export async function loadOlder(projectId: string, number: string): Promise<void> {
  const known = queryClient.getQueryData<ConversationData>(messageKeys.conversation(projectId, number))
  if (!known?.items[0]) return
  const { items, has_more } = await read(projectId, number, 'desc', { before_id: known.items[0].id })
  change(projectId, number, old => ({ items: mergeMessages(items, old.items), hasOlder: has_more }))
}

/** Loads the whole conversation. */
export async function loadAllOlder(projectId: string, number: string): Promise<void> {
  const { hasOlder } = await queryClient.ensureQueryData(conversationQuery(projectId, number))
  if (!hasOlder) return
  await loadOlder(projectId, number)
  return loadAllOlder(projectId, number)
}

/** Waits for conversations that are loaded for the first time: their responses may be older than a change that was just reported. */
const untilLoaded = (projectId: string): Promise<unknown> =>
  Promise.allSettled(
    queryClient
      .getQueryCache()
      .findAll({ queryKey: messageKeys.conversations(projectId), fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
      .map(({ promise }) => promise),
  )

export const invalidateConversation = (projectId: string, number: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: messageKeys.conversation(projectId, number) })

const settled = ({ delivery }: Message): boolean => delivery.status !== 'scheduled'

/** Loads the messages after the last known one. */
export async function loadNewer(projectId: string, number: string): Promise<void> {
  await untilLoaded(projectId)
  const last = queryClient
    .getQueryData<ConversationData>(messageKeys.conversation(projectId, number))
    ?.items.findLast(settled)
  if (!last) return invalidateConversation(projectId, number)
  const { items, has_more } = await read(projectId, number, 'asc', { after_id: last.id })
  addMessages(projectId, number, items)
  if (has_more) await loadNewer(projectId, number)
}

function change(projectId: string, number: string, next: (old: ConversationData) => ConversationData): void {
  queryClient.setQueryData<ConversationData>(
    messageKeys.conversation(projectId, number),
    old => old && next(old),
  )
}

export const addMessages = (projectId: string, number: string, added: Message[]): void =>
  change(projectId, number, old => ({ ...old, items: mergeMessages(old.items, added) }))

/** The keys of cached tickets that show a message. A ticket that was opened by its id is also cached by its number. */
const listTicketKeys = (projectId: string, messageId: string): string[] =>
  queryClient
    .getQueriesData<ConversationData>({ queryKey: messageKeys.conversations(projectId) })
    .filter(([, data]) => data?.items.some(({ id }) => id === messageId))
    .map(([key]) => String(key[2]))

/** Adds a message to the cached conversation of another message. */
export function addToSameConversation({ workspace_id, id }: Message, added: Message): void {
  for (const number of listTicketKeys(workspace_id, id)) addMessages(workspace_id, number, [added])
}

/** Reloads one message, wherever it is shown. */
export async function reloadMessage(project_id: string, message_id: string): Promise<void> {
  await untilLoaded(project_id)
  const places = listTicketKeys(project_id, message_id)
  if (places.length === 0) return
  const message = await take(
    api.GET('/projects/{project_id}/messages/{message_id}', { params: { path: { project_id, message_id } } }),
  )
  for (const number of places) addMessages(project_id, number, [message])
}
