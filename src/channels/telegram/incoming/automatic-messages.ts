import { currentTime } from '../../../core/time.ts'
import { isOpenAt } from '../../../core/weekly-hours.ts'
import { addMessage, automaticSystem, draftMessage } from '../../../messages/messages.ts'
import { getTicket } from '../../../tickets/tickets.ts'
import { chooseBotText } from '../choose-text.ts'
import type { TelegramAuthor } from './find-author.ts'
import type { UpdateContext } from './update-context.ts'

/** Sends the away message for a new ticket. It becomes a message of the ticket that does not count as a reply. */
export async function sendAway(
  context: UpdateContext,
  ticketId: string,
  author: TelegramAuthor,
): Promise<void> {
  const { tx, bot, facts } = context
  if (!bot.sends_away || !facts.hours || isOpenAt(facts.hours, currentTime())) return
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
