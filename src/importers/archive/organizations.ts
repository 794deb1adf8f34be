import type { ImportedOrganization } from '../../imports/imports.ts'
import { exportedTime } from './contacts.ts'
import type { ExportedOrganization } from './record-rows.ts'

export const fromExportedOrganization = (row: ExportedOrganization): ImportedOrganization => ({
  source_id: row.id,
  name: row.name,
  domains: row.domains,
  external_id: row.external_id,
  note: row.note,
  custom_fields: row.custom_fields,
  created_at: exportedTime(row.created_at),
  updated_at: exportedTime(row.updated_at),
})
