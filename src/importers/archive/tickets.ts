import type { ImportedTicket } from '../../imports/schema.ts'
import { exportedTime } from './contacts.ts'
import type { ExportedTicket } from './record-rows.ts'
import type { Ids } from './rename-ids.ts'

/** Records to which an export refers by id, and an import in another way. */
export interface Known {
  operators: Ids
  /** The names of departments, by their ids in the export. */
  departments: ReadonlyMap<string, string>
}

const toTimes = (row: ExportedTicket) => ({
  rated_at: exportedTime(row.rated_at),
  snoozed_until: exportedTime(row.snoozed_until),
  closed_at: exportedTime(row.closed_at),
  created_at: exportedTime(row.created_at)!,
  // Exports of older versions lack these fields. The import then computes them.
  ...(row.updated_at !== undefined && {
    updated_at: exportedTime(row.updated_at),
    first_reply_at: exportedTime(row.first_reply_at),
    first_bot_reply_at: exportedTime(row.first_bot_reply_at),
    last_contact_message_at: exportedTime(row.last_contact_message_at),
    last_operator_message_at: exportedTime(row.last_operator_message_at),
    waiting_since: exportedTime(row.waiting_since),
  }),
})

/** Converts a ticket without its messages, which an export lists separately. */
export const fromExportedTicket = (
  row: ExportedTicket,
  { operators, departments }: Known,
): ImportedTicket => ({
  source_id: row.id,
  number: row.number,
  subject: row.subject,
  status: row.status,
  priority: row.priority,
  channel: row.channel,
  contact: row.contact_id,
  operator: row.operator_id && operators.has(row.operator_id) ? { id: operators.get(row.operator_id) } : null,
  department: row.department_id && (departments.get(row.department_id) ?? null),
  tags: row.tags,
  custom_fields: row.custom_fields,
  external_id: row.external_id,
  is_spam: row.is_spam,
  language: row.language,
  rating: row.rating,
  rating_comment: row.rating_comment,
  closed_by: row.closed_by && {
    ...row.closed_by,
    id: row.closed_by.id && (operators.get(row.closed_by.id) ?? null),
  },
  resolution_secs: row.resolution_secs,
  reopened_count: row.reopened_count,
  merged_into: row.merged_into_id,
  follow_up_of: row.follow_up_of_id,
  contact_identity: row.contact_identity,
  participants: row.participants.map(one => ({ ...one, changed_at: exportedTime(one.changed_at) })),
  widget: row.widget,
  ...toTimes(row),
})
