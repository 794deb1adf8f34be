import type { Message } from '@grammyjs/types'
import { checkEntities } from './entities.ts'
import { requireCalm } from './floods.ts'
import { type Media, readMedia } from './media.ts'
import { badRequest, limits, refusals } from './refusals.ts'
import type { UploadedFile } from './request.ts'
import { type Bot, type Call, type ChatState, unixTime, type World } from './world.ts'

/** The methods that send messages. */

type Params = Call['params']

/** The chat that a call is for. */
export function getChat(bot: Bot, params: Params): ChatState {
  const state = bot.chats.get(Number(params.chat_id))
  if (!state && Number(params.chat_id) > 0) throw refusals.notStarted()
  if (!state) throw badRequest('chat not found')
  if (state.migratedTo !== null) throw refusals.migrated(state.migratedTo)
  if (state.refusal) throw refusals[state.refusal]()
  return state
}

function requireText(value: unknown, name: string, max: number): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : String(value)
  if (name === 'text' && !text.trim()) throw badRequest('message text is empty')
  if (text.length > max)
    throw badRequest(name === 'text' ? 'message is too long' : 'message caption is too long')
  return text
}

export function readText(params: Params): Pick<Message, 'text' | 'entities'> {
  const text = requireText(params.text, 'text', limits.text.max)
  checkEntities(text, params.entities)
  return { text, ...(params.entities?.length && { entities: params.entities }) }
}

export function readCaption(params: Params): Pick<Message, 'caption' | 'caption_entities'> {
  const caption = requireText(params.caption, 'caption', limits.caption.max)
  checkEntities(caption, params.caption_entities)
  if (!caption) return {}
  return {
    caption,
    ...(params.caption_entities?.length && { caption_entities: params.caption_entities }),
  }
}

/** "If the message isn't found and allow_sending_without_reply is not set, the message isn't sent." */
function readReply({ messages }: ChatState, { reply_parameters: reply }: Params): Partial<Message> {
  if (!reply) return {}
  const found = messages.get(reply.message_id)
  if (!found && !reply.allow_sending_without_reply) throw badRequest('message to be replied not found')
  if (!found) return {}
  const { reply_to_message: _, ...original } = found
  return { reply_to_message: { ...original, reply_to_message: undefined } }
}

function checkMarkup({ reply_markup: markup }: Params): void {
  for (const button of (markup?.inline_keyboard ?? []).flat())
    if (Buffer.byteLength(button.callback_data ?? '') > limits.callbackBytes.max)
      throw badRequest('BUTTON_DATA_INVALID')
}

function store(bot: Bot, state: ChatState, fields: Partial<Message>): Message {
  const message: Message = {
    message_id: state.nextMessageId++,
    from: bot.user,
    chat: state.chat,
    date: unixTime(),
    ...fields,
  }
  state.messages.set(message.message_id, message)
  return message
}

function ownFields(state: ChatState, params: Params): Partial<Message> {
  checkMarkup(params)
  return {
    ...readReply(state, params),
    ...(params.message_thread_id && { message_thread_id: params.message_thread_id, is_topic_message: true }),
    ...(params.reply_markup?.inline_keyboard && { reply_markup: params.reply_markup }),
  }
}

/** Sends a message with the content that `read` finds in the call. */
export function send(
  world: World,
  bot: Bot,
  params: Params,
  read: (params: Params) => Partial<Message>,
): Message {
  const state = getChat(bot, params)
  const fields = { ...read(params), ...ownFields(state, params) }
  requireCalm(world, bot, state.chat.id)
  return store(bot, state, fields)
}

const readLocation = ({ latitude, longitude }: Params) => {
  if (typeof latitude !== 'number' || typeof longitude !== 'number')
    throw badRequest('latitude must be a number')
  return { location: { latitude, longitude } }
}

/** The methods that send content without files. */
export const plainSends: Record<string, (params: Params) => Partial<Message>> = {
  sendMessage: readText,
  sendLocation: readLocation,
  sendVenue: params => ({
    ...readLocation(params),
    venue: { ...readLocation(params), title: params.title, address: params.address },
  }),
  sendContact: ({ phone_number, first_name }) => ({ contact: { phone_number, first_name } }),
  sendDice: () => ({ dice: { emoji: '🎲', value: 4 } }),
}

const sendMedia =
  (kind: Media['kind']) =>
  async (world: World, bot: Bot, params: Params, files: Map<string, UploadedFile>): Promise<Message> => {
    const state = getChat(bot, params)
    const media = await readMedia(world, { kind, value: params[kind] }, files, kind)
    return send(world, bot, { ...params, chat_id: state.chat.id }, () => ({
      ...media,
      ...readCaption(params),
    }))
  }

/** The methods that send one file. */
export const mediaSends = {
  sendPhoto: sendMedia('photo'),
  sendDocument: sendMedia('document'),
  sendVideo: sendMedia('video'),
  sendAudio: sendMedia('audio'),
  sendVoice: sendMedia('voice'),
  sendAnimation: sendMedia('animation'),
  sendVideoNote: sendMedia('video_note'),
  sendSticker: sendMedia('sticker'),
}

const albumKinds = ['photo', 'video', 'audio', 'document']

/** "Documents and audio files can be only grouped in an album with messages of the same type." */
function checkAlbum(media: { type: string }[]): void {
  if (media.length < 2) throw badRequest('there are no messages to send')
  if (media.length > limits.album.max) throw badRequest('too many messages to send as an album')
  const types = new Set(media.map(({ type }) => type))
  const isMixed = types.size > 1 && [...types].some(type => type === 'document' || type === 'audio')
  if (isMixed || media.some(({ type }) => !albumKinds.includes(type)))
    throw badRequest('media of different types can not be sent as an album')
}

export async function sendMediaGroup(
  world: World,
  bot: Bot,
  params: Params,
  files: Map<string, UploadedFile>,
): Promise<Message[]> {
  const state = getChat(bot, params)
  const media: Params[] = params.media ?? []
  checkAlbum(media)
  const media_group_id = String(Date.now() * 1_000 + Math.floor(Math.random() * 1_000))
  const parts = await Promise.all(
    media.map(async one => ({
      ...(await readMedia(world, { kind: one.type, value: one.media }, files, one.type)),
      ...readCaption(one),
      media_group_id,
    })),
  )
  const common = ownFields(state, params)
  requireCalm(world, bot, state.chat.id)
  return parts.map(part => store(bot, state, { ...part, ...common }))
}
