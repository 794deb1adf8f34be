import Type, { type Static } from 'typebox'
import { customFields, nullable, text } from '../core/schema.ts'
import { optionalTime, sourceId } from './contact-schema.ts'

/** An organization from another system. */
export const importedOrganization = Type.Object({
  source_id: sourceId({ description: 'The id of the organization in the other system' }),
  name: text(255, { format: 'name' }),
  domains: Type.Optional(Type.Array(text(255, { minLength: 1 }))),
  external_id: Type.Optional(nullable(text(255, { minLength: 1 }))),
  note: Type.Optional(nullable(text(65_536))),
  custom_fields: Type.Optional(customFields),
  created_at: optionalTime({ description: 'By default, the time of the import' }),
  updated_at: optionalTime({ description: 'By default, `created_at`' }),
})
export type ImportedOrganization = Static<typeof importedOrganization>

/** The organization of an imported contact. */
export interface ImportedMembership {
  /** The `source_id` of the organization; null if the contact has none. */
  organization: string | null
  /** Whether a person or a program has chosen it. If so, the contact joins no other one by its addresses. */
  is_chosen: boolean
}
