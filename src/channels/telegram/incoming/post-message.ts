import type { Message } from '@grammyjs/types'
import { isVisible } from '../../../core/text/visible-text.ts'
import { currentTime, parseTime } from '../../../core/time.ts'
import { keepUpload } from '../../../media/media.ts'
import { findSurvivor } from '../../../messages/messages.ts'
import { type PostedMessage, receiveMessage } from '../../../tickets/tickets.ts'
import { wordsOf } from '../choose-text.ts'
import { addToAlbum } from './add-to-album.ts'
import { sendAway } from './automatic-messages.ts'
import { type DescribedText, describeMessage } from './describe-message.ts'
import type { DownloadedFiles } from './download-files.ts'
import { findAuthor, type TelegramAuthor } from './find-author.ts'
import {
  type FoundMessage,
  findAlbumMessage,
  findRunningTicket,
  findTelegramMessage,
  findTimeBefore,
  insertTelegramMessage,
  updateChatContact,
  updateChatRefused,
} from './message-queries.ts'
import { type Handled, isGroup, say, type UpdateContext } from './update-context.ts'

/** Turns chat messages into ticket messages. */

/** A message, or the parts of an album. */
export interface MessageParts {
  messages: [Message, ...Message[]]
  files: DownloadedFiles
}

export const topicOf = ({ is_topic_message, message_thread_id }: Message): number =>
  (is_topic_message && message_thread_id) || 0

/** Messages older than this, such as those fetched after an outage, keep Telegram's time. Others get the current time, which is more precise. */
const recentMs = 60_000

function timeOf({ date }: Message): string | null {
  if (currentTime() - date * 1_000 < recentMs) return null
  return parseTime(new Date(date * 1_000).toISOString())
}

/** The texts of all parts, and lines about files that could not be downloaded. */
function contentOf({ messages, files: { media, missing } }: MessageParts): DescribedText {
  const texts = messages.map(describeMessage).filter(({ content }) => content !== '')
  const content = [...texts.map(one => one.content), ...missing].join('\n')
  const [only] = texts
  const html = texts.length === 1 && missing.length === 0 ? (only?.content_html ?? null) : null
  if (media.length === 0 && !isVisible(content)) return { content: '[message]', content_html: null }
  return { content, content_html: html }
}

/** The ticket that a message belongs to; null if it opens a new one. A reply to an older message joins that message's ticket. */
async function chooseTicket(
  { tx, chat }: UpdateContext,
  message: Message,
  answered: FoundMessage | null,
): Promise<string | null> {
  if (answered) return findSurvivor(tx, tx.projectId, answered.ticket_id)
  if (chat.starts_ticket) return null
  const id =
    chat.continues_ticket_id ?? (await findRunningTicket(tx, tx.projectId, chat.id, topicOf(message)))
  return id && findSurvivor(tx, tx.projectId, id)
}

async function post(
  context: UpdateContext,
  parts: MessageParts,
  author: TelegramAuthor,
  answered: FoundMessage | null,
): Promise<PostedMessage> {
  const { tx, bot, chat, facts } = context
  const [message] = parts.messages
  const ticketId = await chooseTicket(context, message, answered)
  const written_at = timeOf(message)
  return receiveMessage(tx, { id: tx.projectId, name: facts.name }, author, ticketId, {
    ...contentOf(parts),
    channel: 'telegram',
    media_ids: parts.files.media.map(({ id }) => id),
    written_at,
    previous_at: written_at && (await findTimeBefore(tx, tx.projectId, chat.id, message.message_id)),
    answered,
    department_id: bot.department_id,
    language: author.language,
  })
}

async function recordParts(
  { tx, chat }: UpdateContext,
  { messages, files }: MessageParts,
  messageId: string,
): Promise<void> {
  for (const [at, message] of messages.entries())
    await insertTelegramMessage(tx, tx.projectId, {
      chat_id: chat.id,
      telegram_id: message.message_id,
      message_id: messageId,
      topic_id: topicOf(message),
      media_group_id: message.media_group_id ?? null,
      caption: message.caption ?? '',
      missing: at === 0 ? files.missing.join('\n') : '',
      part: null,
    })
}

async function refuseGroup({ tx, chat, facts }: UpdateContext, { from }: Message): Promise<Handled> {
  if (chat.is_refused) return { outcome: 'groups_off' }
  await updateChatRefused(tx, tx.projectId, chat.id)
  const { no_groups } = wordsOf([from?.language_code, facts.language])
  return { outcome: 'groups_off', answers: [say(chat.chat_id, no_groups)] }
}

export async function postChatMessage(context: UpdateContext, parts: MessageParts): Promise<Handled> {
  const { tx, chat, bot } = context
  const [message] = parts.messages
  if (isGroup(chat) && !bot.takes_groups) return refuseGroup(context, message)
  if (await findTelegramMessage(tx, tx.projectId, chat.id, message.message_id))
    return { outcome: 'duplicate' }
  const author = await findAuthor(context, message)
  if (!author) return { outcome: 'ignored' }
  if (author.isBlocked) return { outcome: 'blocked_contact' }
  for (const file of parts.files.media) await keepUpload(tx, tx.projectId, file)
  const album = message.media_group_id
  const earlier = album ? await findAlbumMessage(tx, tx.projectId, chat.id, album) : null
  if (earlier) {
    await recordParts(context, parts, earlier)
    return addToAlbum(context, parts, earlier)
  }
  const replied = message.reply_to_message
  const answered = replied && (await findTelegramMessage(tx, tx.projectId, chat.id, replied.message_id))
  const posted = await post(context, parts, author, answered ?? null)
  await recordParts(context, parts, posted.messageId)
  await updateChatContact(tx, tx.projectId, chat.id, author.id)
  if (posted.isNewTicket) await sendAway(context, posted.ticketId, { author, message })
  return { outcome: 'message' }
}
