import type { Chat, Message, Update, User } from '@grammyjs/types'
import type { Refusal } from './refusals.ts'

/** The state of the stand-in: bots, chats, messages and files. */

export interface StoredFile {
  id: string
  path: string
  name: string
  type: string
  content: Buffer
}

export interface ChatState {
  chat: Chat
  messages: Map<number, Message>
  nextMessageId: number
  /** Why the bot cannot write: the person blocked it, it was removed from the group, or the account was deactivated. */
  refusal: 'blocked' | 'kicked' | 'deactivated' | null
  migratedTo: number | null
  /** The bot's reactions by message id. */
  botReactions: Map<number, string[]>
}

export interface Webhook {
  url: string
  secret: string | null
  maxConnections: number
  lastError: { date: number; message: string } | null
}

/** A method call. */
export interface Call {
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: each method has other parameters
  params: any
  /** Milliseconds since 1970. */
  at: number
  /** The error code of the answer; null if the call succeeded. */
  code: number | null
}

export interface Bot {
  token: string
  user: User
  picture: StoredFile | null
  webhook: Webhook | null
  allowed: string[] | null
  /** Updates that the bot has not confirmed yet. */
  updates: Update[]
  nextUpdateId: number
  chats: Map<number, ChatState>
  calls: Call[]
  commands: object[]
  /** Ends the waiting poll. */
  poller: { end(refusal: Refusal | null): void } | null
  /** Unanswered callback queries. */
  callbacks: Set<string>
  /** Makes the webhook's sender check for updates. */
  wake(): void
}

/** How a call or download fails: it is refused, cut off before or after it takes effect, delayed, or answered by a proxy. */
export type Fault = Refusal | 'cut_before' | 'cut_after' | { delayMs: number } | { proxyStatus: number }

export interface Floods {
  /** How many messages a chat can get in a burst before the limit of one per second applies. */
  chatBurst: number
  groupPerMinute: number
  botPerSecond: number
}

export interface World {
  bots: Map<string, Bot>
  files: Map<string, StoredFile>
  /** Null for no rate limits. */
  floods: Floods | null
  /** Like a self-hosted Bot API server with --local: webhooks can use HTTP and any port, and files of any size can be downloaded. */
  isLocal: boolean
  /** "Receive the absolute local path as a value of the file_path field", as a server with --local does. Such files are not served. */
  hasLocalPaths: boolean
  /** How many extra times each update is posted to a webhook. */
  repeats: number
  /** Milliseconds between attempts of a webhook. */
  webhookPauseMs: number
  findFault(call: { bot: Bot; method: string; params: Call['params'] }): Fault | undefined
  /** Called after each change, so that a page can show it. */
  onChange(): void
}

export const createWorld = (): World => ({
  bots: new Map(),
  files: new Map(),
  floods: null,
  isLocal: true,
  hasLocalPaths: false,
  repeats: 0,
  webhookPauseMs: 50,
  findFault: () => undefined,
  onChange: () => {},
})

export const unixTime = (): number => Math.floor(Date.now() / 1_000)

let files = 0

export function addFile(world: World, name: string, type: string, content: Buffer): StoredFile {
  files++
  const id = `file_${files}_${Math.random().toString(36).slice(2, 10)}`
  const file = { id, path: `documents/${id}_${name.replaceAll(/[^\w.-]/g, '_')}`, name, type, content }
  world.files.set(id, file)
  return file
}

export function makeChat(chat: Chat): ChatState {
  const state: ChatState = {
    chat,
    messages: new Map(),
    nextMessageId: 1,
    refusal: null,
    migratedTo: null,
    botReactions: new Map(),
  }
  return state
}

let botIds = 7_000_000_000

/** Registers a bot, as @BotFather does. */
export function addBot(world: World, name: string, username: string): Bot {
  botIds++
  const secret = Array.from({ length: 35 }, () => Math.random().toString(36)[2] ?? 'A').join('')
  const bot: Bot = {
    token: `${botIds}:${secret}`,
    user: { id: botIds, is_bot: true, first_name: name, username },
    picture: null,
    webhook: null,
    allowed: null,
    updates: [],
    nextUpdateId: 100_000_000 + Math.floor(Math.random() * 1_000_000),
    chats: new Map(),
    calls: [],
    commands: [],
    poller: null,
    callbacks: new Set(),
    wake: () => {},
  }
  world.bots.set(bot.token, bot)
  return bot
}

/** The types that a bot gets unless it asks for others: all except chat_member, message_reaction, and message_reaction_count. */
const usualTypes = (type: string): boolean =>
  !['chat_member', 'message_reaction', 'message_reaction_count'].includes(type)

/** Queues an update for the bot. Returns false if the bot does not get updates of this type. */
export function addUpdate(world: World, bot: Bot, content: Omit<Update, 'update_id'>): boolean {
  const [type = ''] = Object.keys(content)
  if (bot.allowed?.length ? !bot.allowed.includes(type) : !usualTypes(type)) return false
  bot.updates.push({ update_id: bot.nextUpdateId++, ...content })
  bot.poller?.end(null)
  bot.wake()
  world.onChange()
  return true
}
