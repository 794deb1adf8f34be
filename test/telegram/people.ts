import type { Chat, Message, ReactionTypeEmoji, User } from '@grammyjs/types'
import { attach, type Media } from './media.ts'
import { limits } from './refusals.ts'
import type { UploadedFile } from './request.ts'
import { addUpdate, type Bot, type ChatState, makeChat, unixTime, type World } from './world.ts'

/** What people do in Telegram. */

export type Person = User & { is_bot: false }

let people = 500_000

export function makePerson(fields: Partial<Omit<User, 'is_bot'>> = {}): Person {
  people++
  return { id: people, first_name: 'Ann', language_code: 'en', ...fields, is_bot: false }
}

type Content = Partial<Message>

const privateChat = ({ id, first_name, last_name, username }: Person): Chat => ({
  id,
  type: 'private',
  first_name,
  ...(last_name && { last_name }),
  ...(username && { username }),
})

/** A person who writes to a bot, in their private chat or in a group. */
export class Participant {
  readonly world: World
  readonly bot: Bot
  readonly person: Person
  readonly chat: Chat

  constructor(world: World, bot: Bot, person: Person, group: Chat | null = null) {
    this.world = world
    this.bot = bot
    this.person = person
    this.chat = group ?? privateChat(person)
  }

  get state(): ChatState {
    const state = this.bot.chats.get(this.chat.id) ?? makeChat(this.chat)
    this.bot.chats.set(this.chat.id, state)
    return state
  }

  post(content: Content): Message {
    const { state, person, chat } = this
    const message: Message = {
      message_id: state.nextMessageId++,
      from: person,
      chat,
      date: unixTime(),
      ...content,
    }
    state.messages.set(message.message_id, message)
    addUpdate(this.world, this.bot, { message: { ...message, from: person } } as never)
    return message
  }

  say(text: string, replyTo?: number, content: Content = {}): Message {
    const original = replyTo === undefined ? undefined : this.state.messages.get(replyTo)
    const reply = original && { reply_to_message: { ...original, reply_to_message: undefined } }
    return this.post({ text, ...commandsIn(text), ...reply, ...content })
  }

  async file(kind: Media['kind'], upload: UploadedFile, content: Content = {}): Promise<Message> {
    return this.post({ ...(await attach(this.world, kind, upload)), ...content })
  }

  /** Opens https://t.me/BOT?start=PARAMETER. */
  start(parameter = ''): Message {
    if (parameter.length > limits.startParameter.max || !/^[\w-]*$/.test(parameter))
      throw new Error(limits.startParameter.sentence)
    return this.say(parameter ? `/start ${parameter}` : '/start')
  }

  async album(parts: { kind: Media['kind']; upload: UploadedFile; caption?: string }[]): Promise<Message[]> {
    const media_group_id = `${Date.now()}${Math.floor(Math.random() * 1e6)}`
    const contents: Content[] = []
    for (const { kind, upload, caption } of parts)
      contents.push({
        ...(await attach(this.world, kind, upload)),
        ...{ media_group_id, ...(caption && { caption }) },
      })
    // All at once: a late part would not be in the same message.
    return contents.map(content => this.post(content))
  }

  edit(id: number, content: Content): void {
    const edited = { ...this.state.messages.get(id)!, ...content, edit_date: unixTime() }
    this.state.messages.set(id, edited)
    addUpdate(this.world, this.bot, { edited_message: { ...edited, from: this.person } } as never)
  }

  react(message_id: number, emojis: ReactionTypeEmoji['emoji'][]): void {
    const new_reaction = emojis.map(emoji => ({ type: 'emoji' as const, emoji }))
    const { chat, person: user } = this
    addUpdate(this.world, this.bot, {
      message_reaction: { chat, message_id, user, date: unixTime(), old_reaction: [], new_reaction },
    } as never)
  }

  /** Presses a button below one of the bot's messages. Returns the id of the callback query. */
  press(messageId: number, data: string): string {
    const id = `${Date.now()}${Math.floor(Math.random() * 1e6)}`
    this.bot.callbacks.add(id)
    const message = this.state.messages.get(messageId)!
    const callback_query = { id, from: this.person, message, chat_instance: '1', data }
    addUpdate(this.world, this.bot, { callback_query } as never)
    return id
  }

  /** Messages from the bot, oldest first. */
  get received(): Message[] {
    return [...this.state.messages.values()].filter(({ from }) => from?.id === this.bot.user.id)
  }

  block(): void {
    this.#setMember('kicked', this.chat.id < 0 ? 'kicked' : 'blocked')
  }

  unblock(): void {
    this.#setMember('member', null)
  }

  /** Turns the group into a supergroup with a new id. */
  migrate(): Participant {
    const to = { ...this.chat, id: this.chat.id - 1_000_000_000_000, type: 'supergroup' } as Chat
    this.post({ migrate_to_chat_id: to.id })
    this.state.migratedTo = to.id
    const moved = new Participant(this.world, this.bot, this.person, to)
    moved.post({ migrate_from_chat_id: this.chat.id })
    return moved
  }

  /**
   * "The bot's chat member status was updated in a chat. For private chats, this update is received only when the bot is blocked or
   * unblocked by the user."
   */
  #setMember(status: 'kicked' | 'member', refusal: ChatState['refusal']): void {
    const { state, chat, person } = this
    const before = state.refusal ? 'kicked' : 'member'
    state.refusal = refusal
    const memberOf = (is: string) => ({
      user: this.bot.user,
      status: is,
      ...(is === 'kicked' && { until_date: 0 }),
    })
    addUpdate(this.world, this.bot, {
      my_chat_member: {
        ...{ chat, from: person, date: unixTime() },
        ...{ old_chat_member: memberOf(before), new_chat_member: memberOf(status) },
      },
    } as never)
  }
}

const commandsIn = (text: string): Content => {
  const [command] = /^\/\w+(@\w+)?/.exec(text) ?? []
  return command ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] } : {}
}

let groups = -4_000_000

export function makeGroup(title: string, isForum = false): Chat {
  groups--
  return isForum
    ? { id: groups - 1_000_000_000_000, type: 'supergroup', title, is_forum: true }
    : { id: groups, type: 'group', title }
}
