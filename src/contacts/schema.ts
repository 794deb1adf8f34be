import Type, { type Static } from 'typebox'
import {
  customFields,
  fieldFilter,
  id,
  links,
  list,
  nullable,
  oneOf,
  paging,
  shownFields,
  tags,
  text,
  time,
  timeInput,
} from '../core/schema.ts'

const email = text(254, { format: 'email', examples: ['ann@example.com'] })

const telegramId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  format: 'digits',
  examples: [12345678],
  description: 'The numeric id of the Telegram account',
})

const identifiers = {
  telegram_id: Type.Optional(nullable(telegramId)),
  email: Type.Optional(nullable(email)),
  external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
}

const newContactFields = {
  full_name: Type.Optional(nullable(text(255))),
  phone: Type.Optional(nullable(text(64))),
  language: Type.Optional(nullable(text(35))),
  custom_fields: Type.Optional(customFields),
}

/** The contact of a ticket. telegram_id, email or id is required. */
export const contactRef = Type.Object({
  id: Type.Optional(
    nullable(Type.String({ description: 'The id of an existing contact, instead of all other fields' })),
  ),
  ...identifiers,
  ...newContactFields,
})
export type ContactRef = Static<typeof contactRef>

const chosenOrganization = {
  organization_id: Type.Optional(
    nullable(
      text(64, {
        description:
          'The `id` of an organization, or null for none. Once this was sent, the contact no longer joins an organization because of its email address',
      }),
    ),
  ),
}

export const newContact = Type.Object({
  ...identifiers,
  ...newContactFields,
  ...chosenOrganization,
  tags: Type.Optional(tags),
})
export type NewContact = Static<typeof newContact>

/** A contact that a person creates, or finds by its identifiers. */
export const contactOfPerson = Type.Object({
  ...contactRef.properties,
  is_new: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Creates a contact, for which a name or a phone number is enough. Refused if an identifier belongs to another contact',
    }),
  ),
})
export type ContactOfPerson = Static<typeof contactOfPerson>

export const newContactOfPerson = Type.Object({
  ...newContact.properties,
  note: Type.Optional(nullable(text(65_536))),
})
export type NewContactOfPerson = Static<typeof newContactOfPerson>

export const contactChange = Type.Object({
  ...identifiers,
  ...newContactFields,
  ...chosenOrganization,
  tags: Type.Optional(tags),
  telegram_username: Type.Optional(nullable(text(64))),
  avatar_url: Type.Optional(nullable(text(2_048))),
  timezone: Type.Optional(nullable(text(64))),
  note: Type.Optional(nullable(text(65_536))),
  is_blocked: Type.Optional(Type.Boolean()),
})
export type ContactChange = Static<typeof contactChange>

export const identity = Type.Object({
  type: oneOf(['email', 'telegram', 'external', 'channel'], {
    description: '`channel`: a person in a custom channel; the value is `<channel id>:<external id>`',
  }),
  value: Type.String(),
  is_verified: Type.Boolean(),
  is_primary: Type.Boolean(),
  is_undeliverable: Type.Boolean({
    description:
      'Whether a mail server has rejected the address permanently. False again after an email from the address arrives',
  }),
})

const maybeText = nullable(Type.String())

const fields = {
  id,
  internal_id: id,
  external_id: maybeText,
  workspace_id: id,
  full_name: maybeText,
  email: maybeText,
  phone: maybeText,
  telegram_id: nullable(Type.Integer()),
  telegram_username: maybeText,
  identities: Type.Array(identity),
  avatar_url: maybeText,
  language: maybeText,
  timezone: maybeText,
  source: Type.String(),
  tags: Type.Array(Type.String()),
  custom_fields: shownFields,
  note: maybeText,
  organization_id: nullable(id),
  is_blocked: Type.Boolean(),
  blocked_at: nullable(time),
  tickets_count: Type.Integer(),
  open_tickets_count: Type.Integer(),
  last_seen_at: nullable(time),
  merged_into_id: nullable(id),
  version: Type.Integer(),
  created_at: time,
  updated_at: time,
  _links: links('self', 'contact', 'tickets'),
}

export const contact = Type.Object(fields, { title: 'Contact' })
export type Contact = Static<typeof contact>

/** The response to POST: the contact, whether it is new, and which identifiers stayed with another contact. */
export const createdContact = Type.Object({
  ...fields,
  created: Type.Boolean(),
  conflicts: Type.Array(oneOf(['external_id', 'telegram_id', 'email'])),
})

export const contactList = list(contact)

const withMerged = {
  include_merged: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Include contacts that were merged into another one (`merged_into_id`)',
    }),
  ),
}

export const oneContactQuery = Type.Object(withMerged)

export const contactQuery = Type.Object({
  ...paging,
  sort: Type.Optional(
    oneOf(['created_at', '-created_at', 'updated_at', '-updated_at'], { default: '-created_at' }),
  ),
  email: Type.Optional(text(254)),
  telegram_id: Type.Optional(Type.Integer({ minimum: 1 })),
  phone: Type.Optional(text(64)),
  external_id: Type.Optional(text(255)),
  organization_id: Type.Optional(text(64)),
  is_blocked: Type.Optional(Type.Boolean()),
  tag: Type.Optional(Type.Array(text(64), { maxItems: 50 })),
  custom_fields: Type.Optional(fieldFilter),
  q: Type.Optional(
    text(500, {
      description: 'Words, or beginnings of words, in the name, email address, phone number or ids',
    }),
  ),
  created_after: Type.Optional(timeInput),
  created_before: Type.Optional(timeInput),
  updated_after: Type.Optional(timeInput),
  updated_before: Type.Optional(timeInput),
  ...withMerged,
})
export type ContactQuery = Static<typeof contactQuery>
