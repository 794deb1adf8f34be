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
  /** Why the bot may not write: the person blocked it, or it was removed from the group. */
  refusal: 'blocked' | 'kicked' | 'deactivated' | null
  migratedTo: number | null
  /** The reactions of the bot by message. */
  botReactions: Map<number, string[]>
}

export interface Webhook {
  url: string
  secret: string | null
  maxConnections: number
  lastError: { date: number; message: string } | null
}

/** A call of a method, in the order in which they arrived. */
export interface Call {
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: each method has other parameters
  params: any
  /** Milliseconds since 1970. */
  at: number
  /** The error code of the answer; null if it was accepted. */
  code: number | null
}

export interface Bot {
  token: string
  user: User
  picture: StoredFile | null
  webhook: Webhook | null
  allowed: string[] | null
  /** Unconfirmed updates. */
  updates: Update[]
  nextUpdateId: number
  chats: Map<number, ChatState>
  calls: Call[]
  commands: object[]
  /** Ends the poll that is waiting. */
  poller: { end(refusal: Refusal | null): void } | null
  /** Callback queries that were not answered yet. */
  callbacks: Set<string>
  /** Wakes the webhook's sender. */
  wake(): void
}

/** How a call fails: refused, cut off before or after its effect, or answered later. */
export type Fault = Refusal | 'cut_before' | 'cut_after' | { delayMs: number }

export interface Floods {
  /** Messages that a chat may get at once before the limit of one a second holds. */
  chatBurst: number
  groupPerMinute: number
  botPerSecond: number
}

export interface World {
  bots: Map<string, Bot>
  files: Map<string, StoredFile>
  /** Null: there are no rate limits. */
  floods: Floods | null
  /** A Bot API server of one's own with --local: webhooks may use HTTP and any port, and files of any size can be downloaded. */
  isLocal: boolean
  /** How often each update is posted to a webhook in addition. */
  repeats: number
  /** Milliseconds between attempts of a webhook. */
  webhookPauseMs: number
  findFault(call: { bot: Bot; method: string; params: Call['params'] }): Fault | undefined
  /** Called after each change, for the page. */
  onChange(): void
}

export const createWorld = (): World => ({
  bots: new Map(),
  files: new Map(),
  floods: null,
  isLocal: true,
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

/** Unless the bot has asked for others: all types except chat_member, message_reaction, and message_reaction_count. */
const usualTypes = (type: string): boolean =>
  !['chat_member', 'message_reaction', 'message_reaction_count'].includes(type)

/** Queues an update for the bot. Returns false if the bot does not want updates of this type. */
export function addUpdate(world: World, bot: Bot, content: Omit<Update, 'update_id'>): boolean {
  const [type = ''] = Object.keys(content)
  if (bot.allowed?.length ? !bot.allowed.includes(type) : !usualTypes(type)) return false
  bot.updates.push({ update_id: bot.nextUpdateId++, ...content })
  bot.poller?.end(null)
  bot.wake()
  world.onChange()
  return true
}
