import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, text, time } from '../core/schema.ts'
import { briefContact } from './merge-schema.ts'
import { identity } from './schema.ts'

/** How an identity was verified. */
const waysToVerify = ['code', 'email', 'telegram', 'widget', 'person'] as const
export type VerifiedHow = (typeof waysToVerify)[number]

const identityTypes = oneOf(['email', 'telegram', 'external', 'channel'])

export const knownIdentity = Type.Object({
  ...identity.properties,
  created_at: time,
  verified_at: nullable(time),
  verified_how: nullable(
    oneOf(waysToVerify, {
      description:
        '`code`: by a code that was mailed to the address; `email`: by an email that passed DMARC; `telegram`: by Telegram; `widget`: by a signed token ' +
        'of your website; `person`: somebody says so, with `verified_reason`. Null if it is not verified, or was verified before this was recorded',
    }),
  ),
  verified_by: nullable(
    Type.Object({
      type: Type.String(),
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
  ),
  verified_reason: nullable(Type.String()),
  code_sent_at: nullable(time),
})
export type KnownIdentity = Static<typeof knownIdentity>

const identityVisitor = Type.Object({
  id,
  is_verified: Type.Boolean(),
  surface: oneOf(['widget', 'page']),
  created_at: time,
  seen_at: time,
})
export type IdentityVisitor = Static<typeof identityVisitor>

export const knownIdentities = Type.Object({
  items: Type.Array(knownIdentity),
  visitors: Type.Array(identityVisitor, {
    description: 'Browsers in which the contact uses the website chat: the 20 that were seen last',
  }),
})

const value = text(512, {
  minLength: 1,
  description:
    'An email address, the numeric id of a Telegram account, your own id, or `<channel id>:<external id>`',
  examples: ['ann@example.com'],
})

const reason = Type.Optional(
  text(500, {
    description: 'Why it counts as verified; required with `is_verified`',
    examples: ['Called back'],
  }),
)

export const newIdentity = Type.Object({
  type: identityTypes,
  value,
  is_primary: Type.Optional(Type.Boolean()),
  is_verified: Type.Optional(Type.Boolean()),
  reason,
})
export type IdentityInput = Static<typeof newIdentity>

export const identityChange = Type.Object({
  value: Type.Optional(value),
  is_primary: Type.Optional(Type.Boolean()),
  is_verified: Type.Optional(Type.Boolean()),
  reason,
})
export type IdentityChange = Static<typeof identityChange>

export const sentCode = Type.Object({ sent_at: time, expires_at: time })

export const codeInput = Type.Object({ code: text(20, { minLength: 1, examples: ['482913'] }) })

export const identityMove = Type.Object({
  into_contact_id: Type.String(),
  move_tickets: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the tickets in which the contact used only this identity move with it',
    }),
  ),
})
export type IdentityMove = Static<typeof identityMove>

export const movePreview = Type.Object({
  identity: knownIdentity,
  from: briefContact,
  into: briefContact,
  tickets_count: Type.Integer({ description: 'The tickets that move with it' }),
  shared_tickets_count: Type.Integer({
    description: 'The tickets that stay, because the contact also used other identities in them',
  }),
})
