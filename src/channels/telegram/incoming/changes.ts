import type { CallbackQuery, ChatMemberUpdated, Message, MessageReactionUpdated } from '@grammyjs/types'
import { editReceived, findSurvivor, replaceReactions } from '../../../messages/messages.ts'
import { rateTicket } from '../../../tickets/tickets.ts'
import { wordsOf } from '../choose-text.ts'
import { joinParts } from './add-to-album.ts'
import { continueTicket, isContinuing } from './commands.ts'
import { describeMessage } from './describe-message.ts'
import { findTelegramMessage, updateCaption, updateChatBlocked } from './message-queries.ts'
import { contactCaller, type Handled, nameOf, type UpdateContext } from './update-context.ts'

/** Handles edits, reactions, pressed buttons, and blocking or unblocking the bot. */

/** A live location changes constantly; only its starting point is shown. */
const isMoving = ({ location }: Message): boolean => location?.live_period !== undefined

export async function editMessageOf({ tx, chat }: UpdateContext, message: Message): Promise<Handled> {
  const { projectId } = tx
  const found = await findTelegramMessage(tx, projectId, chat.id, message.message_id)
  if (!found || found.part !== null || isMoving(message)) return { outcome: 'ignored' }
  const described = describeMessage(message)
  const parts = await updateCaption(tx, projectId, chat.id, message.message_id, message.caption ?? '')
  const isComposed = parts.length > 1 || parts.some(({ missing }) => missing !== '')
  const text = isComposed ? { content: joinParts(parts), content_html: null } : described
  const isEdited = await editReceived(tx, found.message_id, text)
  return { outcome: isEdited ? 'edited' : 'ignored' }
}

/** Telegram omits the variation selector of emojis such as ❤️, but the dashboard includes it. */
const emojiOnly = /^\p{RGI_Emoji}$/v
const withSelector = (emoji: string): string =>
  emojiOnly.test(emoji) ? emoji : emoji.replace(/^(\p{Emoji})/u, '$1\ufe0f')

export async function reactTo(
  { tx, chat }: UpdateContext,
  { message_id, new_reaction }: MessageReactionUpdated,
): Promise<Handled> {
  const found = await findTelegramMessage(tx, tx.projectId, chat.id, message_id)
  if (!found || chat.contact_id === null) return { outcome: 'ignored' }
  const emojis = new_reaction.flatMap(one => (one.type === 'emoji' ? [withSelector(one.emoji)] : []))
  await replaceReactions(tx, found.message_id, chat.contact_id, emojis)
  return { outcome: 'reaction' }
}

const ratingOf = (data: string | undefined): number | null => {
  const [, stars] = /^rate:([1-5])$/.exec(data ?? '') ?? []
  return stars ? Number(stars) : null
}

export async function pressButton(context: UpdateContext, query: CallbackQuery): Promise<Handled> {
  const { tx, chat, facts } = context
  const { message, from } = query
  const rating = ratingOf(query.data)
  const found = message && (await findTelegramMessage(tx, tx.projectId, chat.id, message.message_id))
  const ticketId = found ? await findSurvivor(tx, tx.projectId, found.ticket_id) : null
  const answer = (text?: string) => ({
    answers: [
      (api: Parameters<NonNullable<Handled['answers']>[number]>[0]) =>
        api.call('answerCallbackQuery', { callback_query_id: query.id, ...(text && { text }) }),
    ],
  })
  if (isContinuing(query)) {
    const { continues } = wordsOf([from.language_code, facts.language])
    return (await continueTicket(context, query))
      ? { outcome: 'linked', ...answer(continues) }
      : { outcome: 'ignored', ...answer() }
  }
  if (rating === null || ticketId === null || chat.contact_id === null)
    return { outcome: 'ignored', ...answer() }
  const caller = contactCaller(context, chat.contact_id, nameOf(from))
  await rateTicket(tx, caller, ticketId, { rating })
  const { thanks_for_rating } = wordsOf([from.language_code, facts.language])
  return { outcome: 'rated', ...answer(thanks_for_rating) }
}

const isMember = (status: string): boolean => !['kicked', 'left'].includes(status)

export async function changeMembership(
  { tx, chat }: UpdateContext,
  { new_chat_member }: ChatMemberUpdated,
): Promise<Handled> {
  await updateChatBlocked(tx, tx.projectId, chat.id, !isMember(new_chat_member.status))
  return { outcome: 'member' }
}
