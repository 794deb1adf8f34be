import type { CallbackQuery, Message, User } from '@grammyjs/types'
import { hasOtherTelegram, linkTelegram } from '../../../contacts/contacts.ts'
import { notifyRead } from '../../../events/notifier.ts'
import type { Tx } from '../../../events/transaction.ts'
import { chooseBotText, wordsOf } from '../choose-text.ts'
import { readStartToken, type StartTarget } from '../start-token.ts'
import { updateChatContinuing, updateChatStarting } from './message-queries.ts'
import { type Answer, type Handled, nameOf, say, type UpdateContext } from './update-context.ts'
import { deleteUsedLink, insertUsedLink } from './used-links.ts'

/** Commands in private chats: /start, with or without a link's parameter, and /new. */

export interface ChatCommand {
  name: 'start' | 'new'
  parameter: string
}

/** The callback data of the button that continues a link's ticket. */
const continueData = (token: string): string => `continue:${token}`

export const isContinuing = ({ data }: CallbackQuery): boolean => data?.startsWith(continueData('')) === true

/** Null for other messages. Any other command is an ordinary message. */
export function readCommand({ text, chat }: Message): ChatCommand | null {
  if (chat.type !== 'private') return null
  const [word = '', ...parameters] = (text ?? '').trim().split(/\s/)
  const name = /^\/(start|new)(?:@|$)/.exec(word)?.[1]
  const parameter = parameters.join(' ')
  return name === 'start' || name === 'new' ? { name, parameter: parameter.trim() } : null
}

async function findTicketContact({ tx }: UpdateContext, ticketId: string): Promise<string | null> {
  const [row] = await tx<{ contact_id: string }[]>`
    select contact_id from tickets where project_id = ${tx.projectId} and id = ${ticketId}`
  return row?.contact_id ?? null
}

/** Makes the website chat say that the conversation continues in Telegram. */
const noteContinued = (tx: Tx, ticketId: string): void =>
  tx.afterCommit(() => notifyRead(tx.projectId, ticketId))

/** Asks for confirmation if the person is already a different contact: the link may come from a stranger, who would read what they write. */
function askToContinue({ chat, facts }: UpdateContext, token: string, from: User): Answer {
  const { ask_continue, continue_ticket } = wordsOf([from.language_code, facts.language])
  const button = { text: continue_ticket, callback_data: continueData(token) }
  return say(chat.chat_id, ask_continue, { reply_markup: { inline_keyboard: [[button]] } })
}

/** Connects the chat to the contact, or to the ticket and its contact, that the link was made for. */
async function follow(
  context: UpdateContext,
  { kind, id }: StartTarget,
  token: string,
  from: User,
): Promise<Handled> {
  const { tx, chat, facts } = context
  const ticketId = kind === 'ticket' ? id : null
  const contactId = ticketId ? await findTicketContact(context, ticketId) : id
  const isFree = contactId !== null && (await insertUsedLink(tx, tx.projectId, chat.id, token))
  if (!isFree || (await hasOtherTelegram(tx, contactId, from.id)))
    return { outcome: 'command', answers: greet(context, from) }
  if (await linkTelegram(tx, contactId, from.id)) {
    await updateChatContinuing(tx, tx.projectId, chat.id, { contactId, ticketId })
    if (!ticketId) return { outcome: 'linked', answers: greet(context, from) }
    noteContinued(tx, ticketId)
    // Tells the person that the conversation is connected: the link may come from a stranger, who can read it in the website chat.
    const { continues } = wordsOf([from.language_code, facts.language])
    return { outcome: 'linked', answers: [say(chat.chat_id, continues)] }
  }
  // The person may still open the link with another account.
  await deleteUsedLink(tx, tx.projectId, token)
  return { outcome: 'asked', answers: ticketId ? [askToContinue(context, token, from)] : [] }
}

/** Continues the link's ticket in this chat. The person's contact stays the same. Returns false if the link is no longer valid. */
export async function continueTicket(context: UpdateContext, query: CallbackQuery): Promise<boolean> {
  const { tx, vault, chat } = context
  const token = (query.data ?? '').slice(continueData('').length)
  const target = readStartToken(vault, tx.projectId, token)
  if (target?.kind !== 'ticket' || chat.chat_id !== query.from.id) return false
  const contactId = await findTicketContact(context, target.id)
  if (contactId === null || (await hasOtherTelegram(tx, contactId, query.from.id))) return false
  if (!(await insertUsedLink(tx, tx.projectId, chat.id, token))) return false
  await updateChatContinuing(tx, tx.projectId, chat.id, { contactId: null, ticketId: target.id })
  noteContinued(tx, target.id)
  return true
}

/** The greeting, with a button to share the phone number if the bot asks for it. */
function greet({ bot, chat, facts }: UpdateContext, from: User): Answer[] {
  const languages = [from.language_code, facts.language]
  const text = chooseBotText(bot.texts, 'greeting', languages, { contactName: nameOf(from) })
  if (!text) return []
  if (!bot.asks_phone) return [say(chat.chat_id, text)]
  const button = { text: wordsOf(languages).share_phone, request_contact: true }
  const keyboard = { keyboard: [[button]], resize_keyboard: true, one_time_keyboard: true }
  return [say(chat.chat_id, text, { reply_markup: keyboard })]
}

export async function runCommand(
  context: UpdateContext,
  { name, parameter }: ChatCommand,
  from: User,
): Promise<Handled> {
  const { tx, vault, chat, facts } = context
  if (name === 'new') {
    await updateChatStarting(tx, tx.projectId, chat.id)
    const { new_ticket } = wordsOf([from.language_code, facts.language])
    return { outcome: 'command', answers: [say(chat.chat_id, new_ticket)] }
  }
  const target = readStartToken(vault, tx.projectId, parameter)
  if (target) return follow(context, target, parameter, from)
  return { outcome: 'command', answers: greet(context, from) }
}
