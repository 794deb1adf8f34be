import { isOneOf } from '../../core/objects.ts'
import { fromDatabase } from '../../core/time.ts'
import type { ImportedMembership } from '../../imports/imports.ts'
import type { ImportedContact } from '../../imports/schema.ts'
import type { ExportedContact } from './record-rows.ts'

/** Converts a time of the export to the format of an import. */
export const exportedTime = (time: string | null | undefined): string | null =>
  time ? fromDatabase(time) : null

/** Without the type `channel`, because these identities belong to channels of the other project. */
const identityTypes = ['email', 'external', 'telegram'] as const

export const toMembership = ({
  organization_id = null,
  is_organization_chosen = false,
}: ExportedContact): ImportedMembership => ({
  organization: organization_id,
  is_chosen: is_organization_chosen,
})

export const fromExportedContact = ({
  identities,
  merged_into_id,
  ...row
}: ExportedContact): ImportedContact => ({
  source_id: row.id,
  full_name: row.full_name,
  email: row.email,
  identities: identities.flatMap(({ type, created_at, is_primary: _, ...one }) =>
    isOneOf(type, identityTypes) ? [{ ...one, type, created_at: exportedTime(created_at) }] : [],
  ),
  phone: row.phone,
  telegram_id: row.telegram_id,
  telegram_username: row.telegram_username,
  external_id: row.external_id,
  avatar_url: row.avatar_url,
  language: row.language,
  timezone: row.timezone,
  tags: row.tags,
  custom_fields: row.custom_fields,
  note: row.note,
  source: row.source,
  blocked_at: exportedTime(row.blocked_at),
  merged_into: merged_into_id,
  created_at: exportedTime(row.created_at),
  updated_at: exportedTime(row.updated_at),
  last_seen_at: exportedTime(row.last_seen_at),
})
