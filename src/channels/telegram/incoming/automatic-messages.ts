import type { Message } from '@grammyjs/types'
import { currentTime } from '../../../core/time.ts'
import { isOpenAt } from '../../../core/weekly-hours.ts'
import { addMessage, automaticSystem, draftMessage } from '../../../messages/messages.ts'
import { getTicket } from '../../../tickets/tickets.ts'
import { chooseBotText } from '../choose-text.ts'
import type { TelegramAuthor } from './find-author.ts'
import type { TelegramFacts, UpdateContext } from './update-context.ts'

interface Opening {
  author: TelegramAuthor
  message: Message
}

/** After an outage, a message written during office hours may be handled outside them. */
const isAway = ({ hours }: TelegramFacts, { date }: Message): boolean =>
  hours !== null && !isOpenAt(hours, currentTime()) && !isOpenAt(hours, date * 1_000)

/** Sends the away message for a new ticket. It is added to the ticket but does not count as a reply. */
export async function sendAway(
  context: UpdateContext,
  ticketId: string,
  { author, message }: Opening,
): Promise<void> {
  const { tx, bot, facts } = context
  if (!bot.sends_away || !isAway(facts, message)) return
  const { short_id } = await getTicket(tx, tx.projectId, ticketId)
  const languages = [author.language, facts.language]
  const content = chooseBotText(bot.texts, 'away', languages, {
    shortId: short_id,
    contactName: author.name,
  })
  if (!content) return
  const draft = draftMessage({
    ticket_id: ticketId,
    sender_type: 'bot',
    sender_id: tx.projectId,
    sender_name: bot.name,
    channel: 'telegram',
    content,
    system: automaticSystem('away'),
  })
  await addMessage(tx, draft)
}
