import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, text, time } from '../../core/schema.ts'
import { mediaItem } from '../../media/schema.ts'
import { proactiveMessage } from './page-rules-schema.ts'
import { hours, locale, prechatField, widgetTexts } from './settings-schema.ts'

/** Shapes of visitors' requests and responses. */

const maybeText = nullable(Type.String())
export const surfaces = ['widget', 'page'] as const

export const configQuery = Type.Object({ locale: Type.Optional(locale) })
export type ConfigQuery = Static<typeof configQuery>

export const widgetConfig = Type.Object(
  {
    name: Type.String({ description: 'The name of the project' }),
    color: Type.String(),
    logo_url: maybeText,
    position: oneOf(['left', 'right']),
    locale: nullable({
      ...locale,
      description: 'The language of the texts; null if the project has written none',
    }),
    texts: widgetTexts,
    prechat_fields: Type.Array(
      Type.Object({
        ...prechatField.properties,
        labels: Type.Optional(prechatField.properties.labels),
        label: Type.String(),
      }),
    ),
    hours: nullable(
      Type.Object({ is_open: Type.Boolean(), opens_at: nullable(time), timezone: hours.properties.timezone }),
    ),
    features: Type.Object({
      knowledge: Type.Boolean(),
      files: Type.Boolean(),
      rating: Type.Boolean(),
      telegram: Type.Boolean({
        description: 'Whether conversations can be continued in Telegram (see `/telegram-link`)',
      }),
      max_file_bytes: Type.Integer(),
    }),
    requires_signature: Type.Boolean(),
    operators: Type.Array(Type.Object({ name: Type.String(), avatar_url: maybeText }), {
      description: 'At most three operators who are online',
    }),
    proactive_messages: Type.Array(proactiveMessage, {
      description: 'Messages for certain pages, which the button shows to visitors without an open ticket',
    }),
  },
  { title: 'WidgetConfig' },
)
export type WidgetConfig = Static<typeof widgetConfig>

const pageUrl = nullable(text(2_048, { examples: ['https://shop.example/cart'] }))

export const newVisitor = Type.Object({
  locale: Type.Optional(nullable(locale)),
  page_url: Type.Optional(pageUrl),
  surface: Type.Optional(oneOf(surfaces, { default: 'widget' })),
})
export type NewVisitor = Static<typeof newVisitor>

export const visitor = Type.Object(
  {
    id,
    is_identified: Type.Boolean(),
    is_verified: Type.Boolean(),
    is_known: Type.Boolean({
      description:
        'Whether there is a contact: if so, the chat does not ask for name, email address and phone again',
    }),
    name: maybeText,
    email: maybeText,
    ticket_id: nullable({ ...id, description: 'Set if the visitor may see only this ticket' }),
    locale: maybeText,
    surface: oneOf(surfaces),
    last_seq: Type.Integer({
      description: 'The `after` for a stream that continues from this response',
    }),
  },
  { title: 'Visitor' },
)
export type VisitorRecord = Static<typeof visitor>

export const newSession = Type.Object(
  { token: Type.String({ description: 'The token for `Authorization: Bearer`' }), visitor },
  { title: 'VisitorSession' },
)

const user = Type.Object({
  id: Type.Optional(nullable(text(255, { minLength: 1, description: "The site's own id" }))),
  email: Type.Optional(nullable(text(254, { format: 'email' }))),
  name: Type.Optional(nullable(text(255))),
  phone: Type.Optional(nullable(text(64))),
})
export type ClaimedUser = Static<typeof user>

export const identifying = Type.Object({
  user: Type.Optional({ ...user, description: 'The user according to the page' }),
  signature: Type.Optional(
    nullable(
      text(64, {
        description:
          'HMAC-SHA256, in hex, of `id:` and `user.id` or, without an id, of `email:` and `user.email`',
      }),
    ),
  ),
  token: Type.Optional(
    nullable(text(8_192, { description: 'Instead of both: a JWT (HS256) with `exp` at most a day ahead' })),
  ),
  ...newVisitor.properties,
})
export type Identifying = Static<typeof identifying>

export const identified = Type.Object(
  {
    token: Type.String({ description: 'The token that was sent, or a new one' }),
    visitor,
    is_new_visitor: Type.Boolean({
      description: 'If true, delete what the page has stored for the earlier visitor',
    }),
    conflicts: Type.Array(oneOf(['external_id', 'telegram_id', 'email']), {
      description: 'Identities in the token that belong to another contact; they were not added',
    }),
  },
  { title: 'IdentifiedVisitor' },
)
export type Identified = Static<typeof identified>

export const opening = Type.Object({
  key: text(500, { minLength: 1, description: 'The key in the `open_url` of an event' }),
})

export const visitorMessage = Type.Object(
  {
    id,
    ticket_id: id,
    client_id: nullable({ ...id, description: 'The `client_id` as it was sent' }),
    sender_type: oneOf(['contact', 'operator', 'bot']),
    sender_name: maybeText,
    sender_avatar_url: maybeText,
    content_html: Type.String({ description: 'HTML that is safe to display' }),
    preview: Type.String({ description: 'Plain text, at most 140 characters' }),
    media: Type.Array(mediaItem),
    reply_to_id: nullable(id),
    reactions: Type.Array(
      Type.Object({
        emoji: Type.String(),
        reactor_kind: oneOf(['contact', 'operator']),
        count: Type.Integer(),
      }),
    ),
    created_at: time,
    edited_at: nullable(time),
  },
  { title: 'VisitorMessage' },
)
export type VisitorMessage = Static<typeof visitorMessage>

export const visitorMessages = Type.Object(
  {
    items: Type.Array(visitorMessage),
    has_more: Type.Boolean({ description: 'Whether there are older messages' }),
  },
  { title: 'VisitorMessageList' },
)
