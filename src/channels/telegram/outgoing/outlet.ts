import type { Sql } from '../../../core/db/db.ts'
import type { Tx } from '../../../events/transaction.ts'
import {
  addMessage,
  automaticSystem,
  draftMessage,
  type Outlet,
  updateDelivery,
  type WrittenMessage,
} from '../../../messages/messages.ts'
import { queueAgain, queueMessage, releaseQueued } from '../../../outgoing/outgoing.ts'
import type { BotTexts } from '../bots/texts-schema.ts'
import { chooseBotText, wordsOf } from '../choose-text.ts'
import { mayContinueInTelegram } from '../conversation.ts'
import {
  findTicketChat,
  hasOpenChat,
  hasOpenContactChat,
  hasSentPart,
  insertSend,
  isContinuedInTelegram,
  updateSendEdited,
  updateSendReaction,
} from './send-queries.ts'

/** The outlet of the channel `telegram`: queues messages for the worker. */

const channel = 'telegram'

const textIn = ({ system }: WrittenMessage): unknown => {
  const data = system?.kind === 'automatic_message' ? system.data : null
  return typeof data === 'object' && data !== null && 'text' in data ? data.text : null
}

async function send(tx: Tx, message: WrittenMessage): Promise<void> {
  const place = await findTicketChat(tx, tx.projectId, message.ticket_id)
  if (!place) return updateDelivery(tx, message.id, { status: 'failed', error: 'no_chat' })
  const buttons = textIn(message) === 'closed_with_rating' ? 'rating' : null
  await insertSend(tx, tx.projectId, message.id, place, buttons)
  await queueMessage(tx, { id: message.id, channel, account_id: place.chat_id })
}

interface ClosedFacts {
  texts: BotTexts
  bot_name: string
  asks_rating: boolean
  is_group: boolean
  short_id: string
  contact_name: string | null
  contact_language: string | null
  ticket_language: string | null
  project_language: string
}

async function findClosedFacts(sql: Sql, projectId: string, ticketId: string): Promise<ClosedFacts | null> {
  const place = await findTicketChat(sql, projectId, ticketId)
  const [row] = place
    ? await sql<ClosedFacts[]>`
      select b.texts, b.name as bot_name, b.asks_rating, c.chat_id < 0 as is_group, t.number::text as short_id,
        k.full_name as contact_name, k.language as contact_language, t.language as ticket_language,
        p.default_locale as project_language
      from telegram_chats c join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
        join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
        join contacts k on k.project_id = ${projectId} and k.id = t.contact_id
        join projects p on p.id = ${projectId}
      where c.project_id = ${projectId} and c.id = ${place.chat_id} and c.blocked_at is null`
    : []
  return row ?? null
}

/** A merged ticket is closed too, but its conversation goes on. */
const isClosing = ({ system }: WrittenMessage): boolean => {
  if (system?.kind !== 'ticket_closed') return false
  const { data } = system
  return !(typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'merged')
}

/** Tells the contact that the ticket was closed and asks for a rating. Groups are not asked for one. */
async function tellClosed(tx: Tx, ticketId: string): Promise<void> {
  const facts = await findClosedFacts(tx, tx.projectId, ticketId)
  if (!facts) return
  const languages = [facts.contact_language, facts.ticket_language, facts.project_language]
  const values = { shortId: facts.short_id, contactName: facts.contact_name }
  const text = chooseBotText(facts.texts, 'closed', languages, values)
  const isRated = facts.asks_rating && !facts.is_group
  const content = [text, isRated ? wordsOf(languages).rate : ''].filter(Boolean).join('\n\n')
  if (!content) return
  const draft = draftMessage({
    ticket_id: ticketId,
    sender_type: 'bot',
    sender_id: tx.projectId,
    sender_name: facts.bot_name,
    channel,
    content,
    system: automaticSystem(isRated ? 'closed_with_rating' : 'closed'),
  })
  await addMessage(tx, draft)
}

export const createTelegramOutlet = (): Outlet => ({
  /** A reply in a ticket from the website chat or the API goes to Telegram if the contact writes there. */
  async prepare(tx, draft) {
    if (draft.sender_type !== 'operator' || !mayContinueInTelegram(draft.channel)) return draft
    if (!(await isContinuedInTelegram(tx, tx.projectId, draft.ticket_id))) return draft
    const place = await findTicketChat(tx, tx.projectId, draft.ticket_id)
    return place && (await hasOpenChat(tx, tx.projectId, place.chat_id)) ? { ...draft, channel } : draft
  },
  canReach: async (tx, wanted, contactId) =>
    wanted === channel && (await hasOpenContactChat(tx, tx.projectId, contactId)),
  async send(tx, message) {
    if (message.channel === channel) await send(tx, message)
  },
  async retry(tx, message) {
    if (message.channel !== channel) return
    const place = await findTicketChat(tx, tx.projectId, message.ticket_id)
    if (!place) return updateDelivery(tx, message.id, { status: 'failed', error: 'no_chat' })
    // Parts that were already sent are not sent again.
    await insertSend(tx, tx.projectId, message.id, place, null)
    await queueMessage(tx, { id: message.id, channel, account_id: place.chat_id })
  },
  async edit(tx, message) {
    if (message.channel !== channel) return true
    if (!(await hasSentPart(tx, tx.projectId, message.id)) && (await releaseQueued(tx, message.id)))
      return true
    // Parts that were sent with the old text are edited afterwards.
    return (await updateSendEdited(tx, tx.projectId, message.id)) !== null
  },
  async editSent(tx, message) {
    if (message.channel !== channel) return false
    const account_id = await updateSendEdited(tx, tx.projectId, message.id)
    if (account_id) await queueAgain(tx, { id: message.id, channel, account_id })
    return account_id !== null
  },
  async react(tx, messageId) {
    const account_id = await updateSendReaction(tx, tx.projectId, messageId)
    if (account_id) await queueAgain(tx, { id: messageId, channel, account_id })
  },
  async followSystem(tx, message) {
    if (message.channel === channel && isClosing(message)) await tellClosed(tx, message.ticket_id)
  },
})
