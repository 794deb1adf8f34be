import type { Message } from '@grammyjs/types'
import { createAnonymous, getContact, upsertTelegramContact } from '../../../contacts/contacts.ts'
import { isGroup, nameOf, type UpdateContext } from './update-context.ts'

/** Who wrote a message. */

export interface TelegramAuthor {
  /** The contact: the person, or the group. */
  id: string
  /** The person's name. */
  name: string | null
  language: string | null
  isBlocked: boolean
}

/** A group is a single contact, and each message has its author's name. */
async function findGroup(
  { tx, chat }: UpdateContext,
  { from, sender_chat }: Message,
): Promise<TelegramAuthor> {
  const writer = sender_chat?.title ?? (from ? nameOf(from) : null)
  const language = from?.language_code ?? null
  if (chat.contact_id !== null) {
    const contact = await getContact(tx, tx.projectId, chat.contact_id)
    return { id: contact.id, name: writer, language, isBlocked: contact.is_blocked }
  }
  const id = await createAnonymous(tx, { full_name: chat.title }, 'telegram')
  return { id, name: writer, language, isBlocked: false }
}

/** Null for messages without an author, which do not occur in chats with people. */
export async function findAuthor(context: UpdateContext, message: Message): Promise<TelegramAuthor | null> {
  if (isGroup(context.chat)) return findGroup(context, message)
  const { from } = message
  if (!from) return null
  const { id, name, language, isBlocked } = await upsertTelegramContact(context.tx, {
    telegram_id: from.id,
    username: from.username ?? null,
    full_name: nameOf(from),
    language: from.language_code ?? null,
  })
  return { id, name: name ?? nameOf(from), language, isBlocked }
}
