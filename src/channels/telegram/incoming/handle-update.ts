import type { Message } from '@grammyjs/types'
import { getContact, updateTelegramPhone } from '../../../contacts/contacts.ts'
import { wordsOf } from '../choose-text.ts'
import { changeMembership, editMessageOf, pressButton, reactTo } from './changes.ts'
import { readCommand, runCommand } from './commands.ts'
import { isServiceMessage } from './describe-message.ts'
import type { DownloadedFiles } from './download-files.ts'
import { findAuthor } from './find-author.ts'
import { migrateChat } from './migrate-chat.ts'
import { type MessageParts, postChatMessage } from './post-message.ts'
import { type Handled, say, type UpdateContext, type UpdateGroup } from './update-context.ts'

/** Handles one update, or the parts of an album, in a transaction. */

/** Telegram says whose number it is. Only the person's own number is stored. */
async function takePhone(context: UpdateContext, message: Message): Promise<Handled | null> {
  const { contact, from, chat: target } = message
  if (!contact || !from || contact.user_id !== from.id || target.type !== 'private') return null
  const author = await findAuthor(context, message)
  if (!author || author.isBlocked) return null
  const number = contact.phone_number.startsWith('+') ? contact.phone_number : `+${contact.phone_number}`
  await updateTelegramPhone(context.tx, author.id, number)
  const { thanks_for_phone } = wordsOf([from.language_code, context.facts.language])
  const answer = say(target.id, thanks_for_phone, { reply_markup: { remove_keyboard: true } })
  return { outcome: 'phone', answers: [answer] }
}

async function takeMessage(context: UpdateContext, parts: MessageParts): Promise<Handled> {
  const { tx, bot } = context
  const [message] = parts.messages
  const { migrate_to_chat_id, migrate_from_chat_id, chat, from } = message
  if (migrate_to_chat_id) await migrateChat(tx, bot.id, chat.id, migrate_to_chat_id)
  if (migrate_from_chat_id) await migrateChat(tx, bot.id, migrate_from_chat_id, chat.id)
  if (isServiceMessage(message)) return { outcome: 'service' }
  const command = readCommand(message)
  if (command && from) return runCommand(context, command, from)
  const taken = await takePhone(context, message)
  if (!taken) return postChatMessage(context, parts)
  // The shared number also appears in the conversation.
  await postChatMessage(context, parts)
  return taken
}

const isBlockedContact = async ({ tx, chat }: UpdateContext): Promise<boolean> =>
  chat.contact_id !== null && (await getContact(tx, tx.projectId, chat.contact_id)).is_blocked

const noFiles: DownloadedFiles = { media: [], missing: [] }

export async function processUpdate(
  context: UpdateContext,
  updates: UpdateGroup,
  files: DownloadedFiles = noFiles,
): Promise<Handled> {
  const [update] = updates
  const { message, edited_message, message_reaction, callback_query, my_chat_member } = update
  if (message) {
    const others = updates.slice(1).flatMap(one => (one.message ? [one.message] : []))
    return takeMessage(context, { messages: [message, ...others], files })
  }
  if (my_chat_member) return changeMembership(context, my_chat_member)
  if (await isBlockedContact(context)) return { outcome: 'blocked_contact' }
  if (edited_message) return editMessageOf(context, edited_message)
  if (message_reaction) return reactTo(context, message_reaction)
  if (callback_query) return pressButton(context, callback_query)
  return { outcome: 'ignored' }
}
