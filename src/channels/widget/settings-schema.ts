import Type, { type Static } from 'typebox'
import { nullable, oneOf, text, time } from '../../core/schema.ts'
import { hours } from '../../core/weekly-hours.ts'
import { pageArticles, proactiveRule } from './page-rules-schema.ts'

/** The settings of the widget. */

const color = Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#2f5bea'] })
const locale = text(35, { minLength: 2, examples: ['en'] })
const perLocale = <T extends ReturnType<typeof Type.Object>>(texts: T, most: number) =>
  Type.Record(Type.String({ maxLength: 35 }), texts, { maxProperties: most })

export const widgetTexts = Type.Object({
  title: Type.Optional(nullable(text(100))),
  welcome: Type.Optional(nullable(text(1_000))),
  away: Type.Optional(nullable(text(1_000, { description: 'Shown outside office hours' }))),
  prechat: Type.Optional(
    nullable(text(500, { description: 'Shown above the form before the first message' })),
  ),
  launcher: Type.Optional(nullable(text(50, { description: 'Shown beside the button' }))),
})
export type WidgetTexts = Static<typeof widgetTexts>

export const prechatField = Type.Object({
  key: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description:
      '`name`, `email` and `phone` are stored in the contact; other keys become custom fields of the ticket',
  }),
  type: oneOf(['text', 'email', 'phone', 'multiline'], { default: 'text' }),
  labels: Type.Record(Type.String({ maxLength: 35 }), text(100), { maxProperties: 50 }),
  is_required: Type.Boolean({ default: false }),
})
export type PrechatField = Static<typeof prechatField>

const domain = text(2_048, {
  minLength: 1,
  description: 'A domain, or all subdomains of one. If you send the URL of a page, its host is stored',
  examples: ['*.shop.example'],
})

const chosen = {
  is_on: Type.Boolean(),
  color: nullable({ ...color, description: "Null means the project's color" }),
  position: oneOf(['left', 'right']),
  texts: perLocale(widgetTexts, 50),
  prechat_fields: Type.Array(prechatField, { maxItems: 10 }),
  allowed_domains: Type.Array(domain, {
    maxItems: 50,
    description: 'If empty, every site may show the widget',
  }),
  requires_signature: Type.Boolean({ description: 'Whether the page must prove the identity of its users' }),
  notifies_visitors: Type.Boolean({
    description:
      'Whether `visitor.reply_waiting` is emitted. It is not emitted for replies that are sent by email (see `/reply-mailboxes`)',
  }),
  hours: nullable(hours),
  shows_knowledge: Type.Boolean(),
  shows_operators: Type.Boolean(),
  asks_rating: Type.Boolean(),
  takes_files: Type.Boolean(),
  shows_telegram: Type.Boolean({
    description: 'Whether visitors can continue a conversation in Telegram, if the project has an active bot',
  }),
  max_file_mb: Type.Integer({ minimum: 1, maximum: 200 }),
  page_articles: Type.Array(pageArticles, {
    maxItems: 50,
    description:
      'Articles that the widget shows first on certain pages. Other pages show the most popular ones',
  }),
  proactive_messages: Type.Array(proactiveRule, {
    maxItems: 20,
    description:
      'Messages that the button shows on certain pages. If several match a page, the first one is shown',
  }),
}

export const widgetChoices = Type.Object(chosen)
export type WidgetChoices = Static<typeof widgetChoices>

export const widgetChange = Type.Partial(widgetChoices)
export type WidgetChange = Static<typeof widgetChange>

export const widgetSettings = Type.Object(
  {
    ...chosen,
    has_secret: Type.Boolean(),
    secret_made_at: nullable(time),
    script_url: Type.String({ description: 'The script that a page loads' }),
    page_url: Type.String({ description: 'The same chat as a page on this server' }),
    version: Type.Integer(),
  },
  { title: 'WidgetSettings' },
)
export type WidgetSettings = Static<typeof widgetSettings>

export const widgetSecret = Type.Object({
  secret: Type.String({ description: 'Shown only in this response' }),
  secret_made_at: time,
})

export { hours, locale }
