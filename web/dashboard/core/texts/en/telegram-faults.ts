/** Problems of Telegram bots, by their codes. */
export const telegramFaults: Record<string, (values: Record<string, string>) => string> = {
  token_refused: () =>
    'Telegram does not accept the token. Copy it again from @BotFather. It may have been replaced, or the bot may have been deleted.',
  other_program: () =>
    'Another program is fetching this bot’s messages. Stop that program, or create another bot with @BotFather.',
  webhook_failed: ({ url, reason }) =>
    `Telegram could not deliver messages to ${url} (${reason}). Check that this address can be reached from the internet, or let Deskbell fetch the messages.`,
  webhook_refused: ({ url, reason }) =>
    `Telegram does not accept ${url} as the address for messages (${reason}). Ask your administrator to check PUBLIC_URL, or let Deskbell fetch the messages.`,
  eblocked: ({ host }) =>
    `${host} is in a network that Deskbell is not allowed to access. Ask your administrator to allow it with the setting WEBHOOK_ALLOWED_CIDRS.`,
  enotfound: ({ host }) => `The host ${host} does not exist. Check its spelling.`,
  unreachable: ({ host, reason }) => `${host} does not respond (${reason}). Deskbell tries again.`,
  throttled: ({ host }) =>
    `${host} limits how often this bot may call it. Deskbell tries again after a pause.`,
  server: ({ host, reason }) => `${host} returned an error (${reason}). Deskbell tries again.`,
}
