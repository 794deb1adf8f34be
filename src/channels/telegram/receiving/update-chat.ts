import type { Chat, Update } from '@grammyjs/types'

/** The chat that an update belongs to. A chat's updates are handled in order. */
export interface UpdateChat {
  chat_id: number
  title: string
}

const titleOf = (chat: Chat): string =>
  chat.title ?? [chat.first_name, chat.last_name].filter(Boolean).join(' ')

/** Null for types of updates that Deskbell does not request. */
export function findUpdateChat(update: Update): UpdateChat | null {
  const message = update.message ?? update.edited_message
  const chat = message?.chat ?? update.message_reaction?.chat ?? update.my_chat_member?.chat
  if (chat) return { chat_id: chat.id, title: titleOf(chat) }
  const query = update.callback_query
  if (!query) return null
  const pressed = query.message?.chat
  return pressed
    ? { chat_id: pressed.id, title: titleOf(pressed) }
    : { chat_id: query.from.id, title: query.from.first_name }
}

/** The types of updates that bots request. */
export const allowedUpdates = [
  ...(['message', 'edited_message', 'message_reaction', 'callback_query', 'my_chat_member'] as const),
]
