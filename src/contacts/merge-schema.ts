import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'
import { contact, identity } from './schema.ts'

const side = oneOf(['from', 'into'])

export const mergeWinners = Type.Unsafe<Record<string, 'from' | 'into'>>({
  type: 'object',
  maxProperties: 200,
  propertyNames: { maxLength: 120 },
  additionalProperties: { type: 'string', enum: ['from', 'into'] },
  examples: [{ full_name: 'from', 'custom_fields.plan': 'into' }],
  description:
    'Whose value a field gets: `from` is the contact that is merged, `into` the one that remains. By default, the one that remains keeps its value. ' +
    'Custom fields are `custom_fields.<key>`, and `is_blocked` is a field too',
})
export type MergeWinners = Static<typeof mergeWinners>

export const contactMerge = Type.Object({
  into_contact_id: Type.String(),
  winners: Type.Optional(mergeWinners),
})

/** What people need to recognize a contact. */
export const briefContact = Type.Object({
  id,
  full_name: nullable(Type.String()),
  email: nullable(Type.String()),
  avatar_url: nullable(Type.String()),
  is_blocked: Type.Boolean(),
})
export type BriefContact = Static<typeof briefContact>

const difference = Type.Object({
  field: Type.String({
    description: 'A field of the contact, or `custom_fields.<key>`',
    examples: ['full_name'],
  }),
  from: Type.Unknown({ examples: ['Ann'] }),
  into: Type.Unknown({ examples: ['Ann Lee'] }),
  winner: side,
})

export const mergePreview = Type.Object({
  from: briefContact,
  into: briefContact,
  tickets_count: Type.Integer(),
  open_tickets_count: Type.Integer(),
  identities: Type.Array(identity),
  differences: Type.Array(difference),
  tags: Type.Array(Type.String()),
  undo_until: time,
})
export type MergePreview = Static<typeof mergePreview>

export const undoableMerge = Type.Object({
  contact: briefContact,
  merged_at: time,
  merged_by: Type.Object({
    type: Type.String(),
    id: nullable(Type.String()),
    name: nullable(Type.String()),
  }),
  undo_until: time,
  tickets_count: Type.Integer({ description: 'The tickets that have moved so far' }),
})
export type UndoableMerge = Static<typeof undoableMerge>

export const undoableMerges = Type.Object({ items: Type.Array(undoableMerge) })

const keptPart = Type.Object({
  kind: oneOf(['field', 'identity', 'ticket']),
  name: Type.String({
    description: 'The field, the identity such as `email:ann@example.com`, or the `short_id` of the ticket',
    examples: ['full_name'],
  }),
})
export type KeptPart = Static<typeof keptPart>

export const undoneMerge = Type.Object({
  contact,
  into: contact,
  kept: Type.Array(keptPart, {
    description: 'What others have changed since the merge, and is therefore not undone',
  }),
})
