/** Codes about mailboxes, bots and custom channels, which only the dashboard's API uses. */
export const channelCodes = {
  MAILBOX_NOT_FOUND: [404, 'Mailbox not found'],
  MAILBOX_EXISTS: [409, 'This address already belongs to a mailbox on this server. Choose another address.'],
  TELEGRAM_BOT_NOT_FOUND: [404, 'Telegram bot not found'],
  TELEGRAM_BOT_EXISTS: [409, 'This bot already belongs to a project on this server. Choose another bot.'],
  CHANNEL_EXISTS: [409, 'A channel with this name already exists. Choose another name.'],
  MAILBOX_SIGN_IN_NOT_FOUND: [404, 'This sign-in has expired or was already used. Start it again.'],
} as const satisfies Record<string, readonly [number, string]>

/** Codes about custom channels, which programs get too. */
export const customChannelCodes = {
  CHANNEL_NOT_FOUND: [404, 'Channel not found'],
  CHANNEL_PAUSED: [409, 'This channel is paused. Resume it in the settings of the project, then try again.'],
} as const satisfies Record<string, readonly [number, string]>

/** Codes that only the widget's API uses. */
export const visitorCodes = {
  WIDGET_OFF: [403, 'Chat is off for this project. An admin can turn it on in Settings.'],
  VISITOR_UNKNOWN: [401, 'This token is not valid or has expired. Start a new session.'],
  VISITOR_BLOCKED: [403, 'You can no longer send messages here'],
  SIGNATURE_REQUIRED: [403, 'This project requires signed identities. See detail.reason.'],
  SIGNATURE_INVALID: [403, 'Invalid signature. See detail.reason.'],
  FILES_OFF: [403, 'File uploads are off in this chat'],
  FILE_TOO_LARGE: [413, 'The file is too large for this chat. The limit is in detail.max_bytes.'],
} as const satisfies Record<string, readonly [number, string]>
