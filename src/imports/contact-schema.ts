import Type, { type Static } from 'typebox'
import { customFields, nullable, oneOf, tags, text, timeInput } from '../core/schema.ts'

/** A contact from another system. */

export const sourceId = (words: { description: string }) =>
  text(255, { minLength: 1, examples: ['1042'], ...words })

export const optionalTime = (words: { description: string }) =>
  Type.Optional(nullable({ ...timeInput, ...words }))

export const importedAddress = text(254, { format: 'email', examples: ['ann@example.com'] })

const importedTelegramId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  format: 'digits',
  examples: [12345678],
  description: 'The numeric id of the Telegram account',
})

const identityDetails = Type.Object({
  type: oneOf(['email', 'external', 'telegram']),
  value: text(255, { minLength: 1 }),
  is_verified: Type.Optional(
    Type.Boolean({ description: 'Whether the contact has proved that the identifier is theirs' }),
  ),
  is_undeliverable: Type.Optional(Type.Boolean({ description: 'Whether emails to this address bounced' })),
  created_at: optionalTime({ description: "By default, the contact's `created_at`" }),
})

export const importedContact = Type.Object(
  {
    source_id: sourceId({ description: 'The id of the contact in the other system' }),
    full_name: Type.Optional(nullable(text(255))),
    email: Type.Optional(nullable(importedAddress)),
    emails: Type.Optional(
      Type.Array(importedAddress, { maxItems: 50, description: 'Further email addresses of the contact' }),
    ),
    phone: Type.Optional(nullable(text(64))),
    telegram_id: Type.Optional(nullable(importedTelegramId)),
    telegram_username: Type.Optional(nullable(text(64))),
    external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
    identities: Type.Optional(
      Type.Array(identityDetails, {
        maxItems: 100,
        description: 'Details about the identifiers in the other fields, and further email addresses',
      }),
    ),
    avatar_url: Type.Optional(nullable(text(2_048))),
    language: Type.Optional(nullable(text(35))),
    timezone: Type.Optional(nullable(text(64))),
    tags: Type.Optional(tags),
    custom_fields: Type.Optional(customFields),
    note: Type.Optional(nullable(text(65_536))),
    source: Type.Optional(
      text(64, { minLength: 1, description: 'Where the contact came from; by default `import`' }),
    ),
    blocked_at: optionalTime({ description: 'When the contact was blocked' }),
    merged_into: Type.Optional(
      nullable(
        sourceId({
          description: 'The contact into which this one was merged. It must be imported first',
        }),
      ),
    ),
    created_at: optionalTime({ description: 'By default, the time of the import' }),
    updated_at: optionalTime({ description: 'By default, `created_at`' }),
    last_seen_at: optionalTime({ description: 'When the contact was last seen' }),
  },
  { title: 'ImportedContact' },
)
export type ImportedContact = Static<typeof importedContact>
