import type { BotMailTexts } from './shape.ts'

export const enBotMails: BotMailTexts = {
  outage: {
    subject: 'Deskbell can’t receive messages to the Telegram bot @{username}',
    title: 'Messages to @{username} aren’t arriving',
    paragraphs: [
      'Deskbell hasn’t been able to receive messages to the Telegram bot @{username} for at least 15 minutes. The last attempt failed with this problem:',
      '{reason}',
      'Telegram keeps new messages for 24 hours and deletes them after that. Deskbell fetches them once the problem is solved.',
    ],
    action: 'Open the bot',
    small: 'You’re receiving this because you’re an admin of {project}. Deskbell sends one email per outage.',
  },
}
