import type { Message } from '@grammyjs/types'
import { badRequest, limits, refusals } from './refusals.ts'
import type { UploadedFile } from './request.ts'
import { getChat, mediaSends, plainSends, readCaption, readText, send, sendMediaGroup } from './send.ts'
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from './updates.ts'
import { type Bot, type Call, unixTime, type World } from './world.ts'

/** The Bot API methods that the stand-in implements. */

type Params = Call['params']
type Method = (world: World, bot: Bot, params: Params, files: Map<string, UploadedFile>) => unknown

const getMe: Method = (_world, { user }) => ({
  ...user,
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
})

const getUserProfilePhotos: Method = (_world, { picture }) => ({
  total_count: picture ? 1 : 0,
  photos: picture
    ? [
        [
          {
            file_id: picture.id,
            file_unique_id: picture.id,
            width: 160,
            height: 160,
            file_size: picture.content.length,
          },
        ],
      ]
    : [],
})

const getFile: Method = (world, _bot, { file_id }) => {
  const file = world.files.get(file_id)
  if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable')
  if (!world.isLocal && file.content.length > limits.downloadBytes.max) throw badRequest('file is too big')
  return {
    file_id,
    file_unique_id: file_id,
    file_size: file.content.length,
    file_path: world.hasLocalPaths ? `/var/lib/telegram-bot-api/${file.path}` : file.path,
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** "On success, if the edited message is not an inline message, the edited Message is returned." */
function edit(bot: Bot, params: Params, change: (message: Message) => Partial<Message>): Message {
  const state = getChat(bot, params)
  const message = state.messages.get(params.message_id)
  if (!message) throw badRequest('message to edit not found')
  if (message.from?.id !== bot.user.id) throw badRequest("message can't be edited")
  const markup = params.reply_markup?.inline_keyboard?.length ? params.reply_markup : undefined
  const { reply_markup: _, ...rest } = message
  const edited: Message = { ...rest, ...change(message), ...(markup && { reply_markup: markup }) }
  if (isSame(edited, message))
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
  edited.edit_date = unixTime()
  state.messages.set(edited.message_id, edited)
  return edited
}

const editMessageText: Method = (_world, bot, params) =>
  edit(bot, params, ({ text }) => {
    if (text === undefined) throw badRequest('there is no text in the message to edit')
    return { entities: undefined, ...readText(params) }
  })

const editMessageCaption: Method = (_world, bot, params) =>
  edit(bot, params, () => ({ caption: undefined, caption_entities: undefined, ...readCaption(params) }))

const editMessageReplyMarkup: Method = (_world, bot, params) => edit(bot, params, () => ({}))

/** "A message can only be deleted if it was sent less than 48 hours ago." */
const deleteMessage: Method = (_world, bot, params) => {
  const state = getChat(bot, params)
  if (!state.messages.delete(params.message_id)) throw badRequest('message to delete not found')
  return true
}

const allowedReactions = new Set(
  `👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡
  🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡`.split(/\s+/),
)

const setMessageReaction: Method = (_world, bot, params) => {
  const state = getChat(bot, params)
  const wanted: { type: string; emoji?: string }[] = params.reaction ?? []
  if (!state.messages.has(params.message_id)) throw badRequest('message to react not found')
  if (wanted.length > limits.reactions.max) throw badRequest('REACTIONS_TOO_MANY')
  if (wanted.some(({ type, emoji }) => type !== 'emoji' || !allowedReactions.has(emoji ?? '')))
    throw badRequest('REACTION_INVALID')
  state.botReactions.set(
    params.message_id,
    wanted.map(({ emoji }) => emoji ?? ''),
  )
  return true
}

/** "After the user presses a callback button, Telegram clients will display a progress bar until you call answerCallbackQuery." */
const answerCallbackQuery: Method = (_world, bot, { callback_query_id }) => {
  if (!bot.callbacks.delete(String(callback_query_id)))
    throw badRequest('query is too old and response timeout expired or query ID is invalid')
  return true
}

/** "Text of the command; 1-32 characters. Can contain only lowercase English letters, digits and underscores." */
const setMyCommands: Method = (_world, bot, { commands }) => {
  if (commands.length > limits.commands.max) throw badRequest('BOT_COMMANDS_TOO_MUCH')
  for (const { command, description } of commands) {
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID')
    if (!description || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
  }
  bot.commands = commands
  return true
}

const methods: Record<string, Method> = {
  ...{ getMe, getUserProfilePhotos, getFile, getUpdates, setWebhook, deleteWebhook, getWebhookInfo },
  ...{ editMessageText, editMessageCaption, editMessageReplyMarkup, deleteMessage },
  ...{ setMessageReaction, answerCallbackQuery, setMyCommands, sendMediaGroup },
  getMyCommands: (_world, { commands }) => commands,
  getChat: (_world, bot, params) => ({
    ...getChat(bot, params).chat,
    accent_color_id: 0,
    max_reaction_count: 11,
  }),
  getChatMember: (_world, bot, params) => ({ status: 'member', user: getChat(bot, params).chat }),
  sendChatAction: (_world, bot, params) => getChat(bot, params) && true,
  leaveChat: (_world, bot, params) => bot.chats.delete(getChat(bot, params).chat.id),
  ...Object.fromEntries(
    Object.entries(plainSends).map(([name, read]): [string, Method] => [
      name,
      (world, bot, params) => send(world, bot, params, read),
    ]),
  ),
  ...mediaSends,
}

/** "All methods in the Bot API are case-insensitive." */
const byLowerCase = new Map(Object.entries(methods).map(([name, run]) => [name.toLowerCase(), { name, run }]))

export function findMethod(given: string): { name: string; run: Method } {
  const found = byLowerCase.get(given.toLowerCase())
  if (!found) throw refusals.noBot()
  return found
}
