import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, text, time } from '../../../core/schema.ts'
import { botTexts } from './texts-schema.ts'

/** The schemas of the dashboard's operations for bots. */

const username = Type.String({ description: 'Without @', examples: ['acme_support_bot'] })
const name = text(255, {
  minLength: 1,
  format: 'name',
  description: 'The name in Deskbell; initially, the name in Telegram',
  examples: ['Acme Support'],
})
const apiRootText = "The address of your own Bot API server; empty for Telegram's server"
const apiRoot = text(500, { description: apiRootText, examples: ['https://telegram.example.com'] })
const token = text(200, {
  minLength: 1,
  description: 'The token from @BotFather. It is stored encrypted and never returned',
  examples: ['123456789:AAHfiqksKZ8WmR2zSjiQ7_v4TMAKdiHm9T0'],
})
const receiving = oneOf(['auto', 'polling', 'webhook'] as const, {
  description:
    '`webhook`: Telegram delivers messages to PUBLIC_URL. `polling`: Deskbell fetches them, which needs no public address. `auto` chooses the webhook if PUBLIC_URL is public and uses HTTPS',
})
const receivesBy = oneOf(['polling', 'webhook'] as const, { description: 'The mode in use' })
const state = oneOf(['active', 'paused', 'broken'] as const, {
  description:
    '`paused`: paused by a person. `broken`: receives nothing until someone fixes the problem in `last_error`',
})
const faultFields = {
  code: Type.String({ examples: ['token_refused'] }),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'The values in the text, such as the host',
    examples: [{ host: 'api.telegram.org' }],
  }),
  text: Type.String({ description: 'The problem and how to fix it, in English' }),
}
const lastError = nullable(Type.Object({ ...faultFields, at: time }))
const missed = nullable(
  Type.Object(
    { from: time, until: time },
    {
      description:
        'The last period for which messages may be missing: Telegram keeps them for 24 hours, and Deskbell received none for longer than that',
    },
  ),
)

const failedUpdates = nullable(
  Type.Object(
    {
      count: Type.Integer({ examples: [2] }),
      since: time,
      last_error: nullable(Type.String({ description: 'The last error, in English' })),
    },
    {
      description:
        'Messages and other updates that could not be handled in five attempts. They are kept, and `POST …/retry` handles them again',
    },
  ),
)

const settings = {
  name,
  receiving,
  department_id: nullable(id),
  takes_groups: Type.Boolean({ description: 'Whether messages in groups become tickets' }),
  sends_away: Type.Boolean({
    description:
      'Whether an away message is sent for a new ticket outside office hours. The office hours are those of the website chat',
  }),
  asks_phone: Type.Boolean({ description: 'Whether the greeting has a button for sharing the phone number' }),
  asks_rating: Type.Boolean({ description: 'Whether the text for a closed ticket has buttons for a rating' }),
  texts: botTexts,
}

export const telegramBot = Type.Object(
  {
    id,
    telegram_id: Type.Integer({ description: "Telegram's id of the bot", examples: [123456789] }),
    username,
    ...settings,
    has_picture: Type.Boolean({ description: 'Whether `GET …/picture` returns a picture' }),
    api_root: apiRoot,
    receives_by: receivesBy,
    link: Type.String({
      description: 'The link that opens the bot, shown as a QR code too',
      examples: ['https://t.me/acme_support_bot'],
    }),
    state,
    last_ok_at: nullable(
      Type.String({ ...time, description: 'When Deskbell could last receive messages without an error' }),
    ),
    last_error: lastError,
    missed,
    failed_updates: failedUpdates,
    version: Type.Integer(),
    created_at: time,
  },
  { title: 'TelegramBot' },
)
export type TelegramBot = Static<typeof telegramBot>

export const telegramBotList = Type.Object({ items: Type.Array(telegramBot) })

const changeable = {
  name: Type.Optional(settings.name),
  receiving: Type.Optional(settings.receiving),
  department_id: Type.Optional(settings.department_id),
  takes_groups: Type.Optional(settings.takes_groups),
  sends_away: Type.Optional(settings.sends_away),
  asks_phone: Type.Optional(settings.asks_phone),
  asks_rating: Type.Optional(settings.asks_rating),
  texts: Type.Optional(settings.texts),
}

export const botTokenInput = Type.Object(
  { token, api_root: Type.Optional(apiRoot) },
  { title: 'TelegramBotToken' },
)
export const newTelegramBot = Type.Object(
  { token, api_root: Type.Optional(apiRoot), ...changeable },
  { title: 'NewTelegramBot' },
)
export const telegramBotChange = Type.Object(
  {
    ...changeable,
    token: Type.Optional(token),
    api_root: Type.Optional({
      ...apiRoot,
      description: `${apiRootText}. To change it, send the token too, so that the stored token is never sent to another server`,
    }),
  },
  { title: 'TelegramBotChange' },
)

/** The bot that a token belongs to, before it is added. */
export const checkedTelegramBot = Type.Object(
  {
    username,
    name: Type.String({ examples: ['Acme Support'] }),
    picture: nullable(
      Type.String({ description: 'A data URL', examples: ['data:image/jpeg;base64,/9j/4AAQSkZJRg=='] }),
    ),
    can_join_groups: Type.Boolean(),
    can_read_groups: Type.Boolean({
      description:
        'Whether it sees all messages in groups. Otherwise it sees only commands and replies to its messages; @BotFather can change this',
    }),
    receives_by: receivesBy,
    is_taken: Type.Boolean({ description: 'Whether it already belongs to a project on this server' }),
  },
  { title: 'CheckedTelegramBot' },
)
export type CheckedTelegramBot = Static<typeof checkedTelegramBot>

export const telegramBotTrial = Type.Object(
  {
    ok: Type.Boolean(),
    problem: nullable(Type.Object(faultFields)),
    webhook: nullable(
      Type.Object(
        {
          url: Type.String(),
          pending: Type.Integer({ description: 'Messages that Telegram has yet to deliver' }),
          last_error: nullable(Type.String()),
        },
        { description: "Telegram's information about the webhook; null without one" },
      ),
    ),
  },
  { title: 'TelegramBotTrial' },
)
export type TelegramBotTrial = Static<typeof telegramBotTrial>

export const telegramOutages = Type.Object({
  items: Type.Array(Type.Object({ bot_id: id, username, failing_since: time })),
})

export const telegramTextDefaults = Type.Object(
  {
    language: Type.String({ description: "The project's language", examples: ['en'] }),
    has_hours: Type.Boolean({ description: 'Whether the project has office hours' }),
    items: Type.Array(
      Type.Object({
        language: Type.String({ examples: ['en'] }),
        greeting: Type.String({ examples: ['Hello! How can we help?'] }),
        away: Type.String({ examples: ['We are closed.'] }),
        closed: Type.String({ examples: ['We have closed your request.'] }),
      }),
      { description: "Deskbell's own texts" },
    ),
  },
  { title: 'TelegramTextDefaults' },
)
export type TelegramTextDefaults = Static<typeof telegramTextDefaults>
