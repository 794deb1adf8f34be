/** Codes about mailboxes and bots, which only the dashboard's API uses. */
export const channelCodes = {
  MAILBOX_NOT_FOUND: [404, 'Mailbox not found'],
  MAILBOX_EXISTS: [409, 'This address already belongs to a mailbox on this server. Choose another address.'],
  TELEGRAM_BOT_NOT_FOUND: [404, 'Telegram bot not found'],
  TELEGRAM_BOT_EXISTS: [409, 'This bot already belongs to a project on this server. Choose another bot.'],
  MAILBOX_SIGN_IN_NOT_FOUND: [404, 'This sign-in has expired or was already used. Start it again.'],
} as const satisfies Record<string, readonly [number, string]>
