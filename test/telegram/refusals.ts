/** The Bot API's limits and refusals, each with the sentence that documents it (core.telegram.org/bots/api, /bots/faq). */

export interface RefusalParameters {
  retry_after?: number
  migrate_to_chat_id?: number
}

/** An answer with `ok: false`. */
export class Refusal extends Error {
  readonly code: number
  readonly parameters: RefusalParameters | undefined

  constructor(code: number, description: string, parameters?: RefusalParameters) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

export const badRequest = (description: string): Refusal => new Refusal(400, `Bad Request: ${description}`)

export interface Limit {
  max: number
  sentence: string
}

/** Lengths are in UTF-16 code units, the unit of entities. */
export const limits = {
  text: {
    max: 4096,
    sentence: 'Text of the message to be sent, 1-4096 characters after entities parsing',
  },
  caption: {
    max: 1024,
    sentence:
      'Photo caption (may also be used when resending photos by file_id), 0-1024 characters after entities parsing',
  },
  photoBytes: { max: 10 * 1024 * 1024, sentence: 'The photo must be at most 10 MB in size.' },
  photoSides: { max: 10_000, sentence: "The photo's width and height must not exceed 10000 in total." },
  fileBytes: {
    max: 50 * 1024 * 1024,
    sentence:
      'Bots can currently send files of any type of up to 50 MB in size, this limit may be changed in the future.',
  },
  downloadBytes: {
    max: 20 * 1024 * 1024,
    sentence: 'For the moment, bots can download files of up to 20MB in size.',
  },
  album: {
    max: 10,
    sentence: 'A JSON-serialized array describing messages to be sent, must include 2-10 items',
  },
  callbackBytes: {
    max: 64,
    sentence: 'Data to be sent in a callback query to the bot when the button is pressed, 1-64 bytes',
  },
  reactions: {
    max: 1,
    sentence: 'Currently, as non-premium users, bots can set up to one reaction per message.',
  },
  updates: {
    max: 100,
    sentence:
      'Limits the number of updates to be retrieved. Values between 1-100 are accepted. Defaults to 100.',
  },
  commands: {
    max: 100,
    sentence:
      'A JSON-serialized list of bot commands to be set as the list of the bot’s commands. At most 100 commands can be specified.',
  },
  secretToken: {
    max: 256,
    sentence:
      'A secret token to be sent in a header “X-Telegram-Bot-Api-Secret-Token” in every webhook request, 1-256 characters. Only characters A-Z, a-z, 0-9, _ and - are allowed.',
  },
  startParameter: {
    max: 64,
    sentence: 'The parameter can be up to 64 characters long. A-Z, a-z, 0-9, _ and - are allowed.',
  },
  chatPerSecond: {
    max: 1,
    sentence: 'In a single chat, avoid sending more than one message per second.',
  },
  groupPerMinute: {
    max: 20,
    sentence: 'In a group, bots are not be able to send more than 20 messages per minute.',
  },
  botPerSecond: {
    max: 30,
    sentence:
      'For bulk notifications, bots are not able to broadcast more than about 30 messages per second.',
  },
} satisfies Record<string, Limit>

/** Refusals other than those for limits, each with the sentence that documents it. */
export const refusals = {
  unauthorized: () => new Refusal(401, 'Unauthorized'),
  /** Each bot is given a unique authentication token when it is created. */
  noBot: () => new Refusal(404, 'Not Found'),
  /** This method will not work if an outgoing webhook is set up. */
  webhookActive: () =>
    new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    ),
  /** There are two mutually exclusive ways of receiving updates; only one program can poll at a time. */
  otherPoller: () =>
    new Refusal(
      409,
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    ),
  /** Bots can't start conversations with users. A user must either add them to a group or send them a message first. */
  notStarted: () => new Refusal(403, "Forbidden: bot can't initiate conversation with a user"),
  /** kicked: in private chats, the user has blocked the bot (ChatMemberUpdated, ChatMemberBanned). */
  blocked: () => new Refusal(403, 'Forbidden: bot was blocked by the user'),
  kicked: () => new Refusal(403, 'Forbidden: bot was kicked from the group chat'),
  deactivated: () => new Refusal(403, 'Forbidden: user is deactivated'),
  /** migrate_to_chat_id: The group has been migrated to a supergroup with the specified identifier. */
  migrated: (to: number) =>
    new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: to }),
  /** retry_after: In case of exceeding flood control, the number of seconds left to wait before the request can be repeated. */
  flood: (seconds: number) =>
    new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  tooLarge: () => new Refusal(413, 'Request Entity Too Large'),
}
