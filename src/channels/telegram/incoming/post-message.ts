import type { Message } from '@grammyjs/types'
import { isVisible } from '../../../core/text/visible-text.ts'
import { currentTime, parseTime } from '../../../core/time.ts'
import { keepUpload } from '../../../media/media.ts'
import { findSurvivor } from '../../../messages/messages.ts'
import { hearContact, openTicket } from '../../../tickets/tickets.ts'
import { wordsOf } from '../choose-text.ts'
import { addToAlbum } from './add-to-album.ts'
import { sendAway } from './automatic-messages.ts'
import { describeMessage } from './describe-message.ts'
import type { DownloadedFiles } from './download-files.ts'
import { findAuthor, type TelegramAuthor } from './find-author.ts'
import {
  type FoundMessage,
  findAlbumMessage,
  findRunningTicket,
  findTelegramMessage,
  insertTelegramMessage,
  updateChatContact,
  updateChatRefused,
} from './message-queries.ts'
import { contactCaller, type Handled, isGroup, say, type UpdateContext } from './update-context.ts'

/** Makes messages of the chat messages in tickets. */

/** A message, or the parts of an album. */
export interface MessageParts {
  messages: [Message, ...Message[]]
  files: DownloadedFiles
}

export const topicOf = ({ is_topic_message, message_thread_id }: Message): number =>
  (is_topic_message && message_thread_id) || 0

/** Older messages, such as those after an outage, keep their time. The time of others is more exact than Telegram's seconds. */
const recentMs = 60_000

function timeOf({ date }: Message): { created_at?: string } {
  if (currentTime() - date * 1_000 < recentMs) return {}
  const time = parseTime(new Date(date * 1_000).toISOString())
  return time ? { created_at: time } : {}
}

interface Content {
  content: string
  content_html: string | null
}

/** The texts of all parts, and lines about files that could not be downloaded. */
function contentOf({ messages, files: { media, missing } }: MessageParts): Content {
  const texts = messages.map(describeMessage).filter(({ content }) => content !== '')
  const content = [...texts.map(one => one.content), ...missing].join('\n')
  const [only] = texts
  const html = texts.length === 1 && missing.length === 0 ? (only?.content_html ?? null) : null
  if (media.length === 0 && !isVisible(content)) return { content: '[message]', content_html: null }
  return { content, content_html: html }
}

/** The ticket that a message belongs to; null if it opens one. A reply to an older message goes to the ticket of that message. */
async function chooseTicket(
  { tx, chat }: UpdateContext,
  message: Message,
  answered: FoundMessage | null,
): Promise<string | null> {
  if (answered) return answered.ticket_id
  if (chat.starts_ticket) return null
  const id =
    chat.continues_ticket_id ?? (await findRunningTicket(tx, tx.projectId, chat.id, topicOf(message)))
  return id && findSurvivor(tx, tx.projectId, id)
}

async function firstMessage({ tx }: UpdateContext, ticketId: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from messages where project_id = ${tx.projectId} and ticket_id = ${ticketId} and sender_type <> 'system'
    order by created_at, id limit 1`
  return row!.id
}

interface PostedMessage {
  ticketId: string
  messageId: string
  isNewTicket: boolean
}

async function open(
  context: UpdateContext,
  parts: MessageParts,
  author: TelegramAuthor,
): Promise<PostedMessage> {
  const { tx, bot } = context
  const { content, content_html } = contentOf(parts)
  const owner = { id: author.id, name: author.name, isBlocked: false }
  const ticketId = await openTicket(tx, contactCaller(context, author.id, author.name), owner, {
    content,
    media_ids: parts.files.media.map(({ id }) => id),
    channel: 'telegram',
    department_id: bot.department_id,
    language: author.language,
    message_fields: { content_html, ...timeOf(parts.messages[0]) },
  })
  return { ticketId, messageId: await firstMessage(context, ticketId), isNewTicket: true }
}

async function join(
  context: UpdateContext,
  parts: MessageParts,
  author: TelegramAuthor,
  { ticketId, answered }: { ticketId: string; answered: FoundMessage | null },
): Promise<PostedMessage> {
  const { content, content_html } = contentOf(parts)
  const heard = await hearContact(context.tx, contactCaller(context, author.id, author.name), ticketId, {
    content,
    media_ids: parts.files.media.map(({ id }) => id),
    reply_to_id: answered?.ticket_id === ticketId ? answered.message_id : null,
    fields: { channel: 'telegram', content_html, ...timeOf(parts.messages[0]) },
  })
  const isNewTicket = heard.ticket_id !== ticketId
  return { ticketId: heard.ticket_id, messageId: heard.message_id, isNewTicket }
}

async function recordParts(
  { tx, chat }: UpdateContext,
  { messages }: MessageParts,
  messageId: string,
): Promise<void> {
  for (const message of messages)
    await insertTelegramMessage(tx, tx.projectId, {
      chat_id: chat.id,
      telegram_id: message.message_id,
      message_id: messageId,
      topic_id: topicOf(message),
      media_group_id: message.media_group_id ?? null,
      caption: message.caption ?? '',
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
  const ticketId = await chooseTicket(context, message, answered ?? null)
  const posted = ticketId
    ? await join(context, parts, author, { ticketId, answered: answered ?? null })
    : await open(context, parts, author)
  await recordParts(context, parts, posted.messageId)
  await updateChatContact(tx, tx.projectId, chat.id, author.id)
  if (posted.isNewTicket) await sendAway(context, posted.ticketId, author)
  return { outcome: 'message' }
}
