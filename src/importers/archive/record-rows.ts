import type { ImportedEmail, ImportedMessage, ImportedTicket } from '../../imports/schema.ts'

/** The rows of contacts, tickets, messages and files in an export. */

interface ExportedIdentity {
  type: string
  value: string
  is_primary: boolean
  is_verified: boolean
  is_undeliverable: boolean
  created_at: string
}

export interface ExportedOrganization {
  id: string
  name: string
  domains: string[]
  external_id: string | null
  note: string | null
  custom_fields: Record<string, unknown>
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export interface ExportedContact {
  id: string
  external_id: string | null
  full_name: string | null
  email: string | null
  phone: string | null
  telegram_id: number | null
  telegram_username: string | null
  avatar_url: string | null
  language: string | null
  timezone: string | null
  source: string
  tags: string[]
  custom_fields: Record<string, unknown>
  note: string | null
  /** Exports of older versions lack these two fields. */
  organization_id?: string | null
  is_organization_chosen?: boolean
  blocked_at: string | null
  merged_into_id: string | null
  last_seen_at: string | null
  created_at: string
  updated_at: string
  identities: ExportedIdentity[]
}

interface ExportedParticipant {
  address: string
  name: string | null
  is_removed: boolean
  changed_at: string
}

export interface ExportedTicket {
  id: string
  number: number
  subject: string
  status: ImportedTicket['status']
  priority: NonNullable<ImportedTicket['priority']>
  channel: string
  contact_id: string
  operator_id: string | null
  department_id: string | null
  tags: string[]
  custom_fields: Record<string, unknown>
  external_id: string | null
  is_spam: boolean
  language: string | null
  rating: number | null
  rating_comment: string | null
  rated_at: string | null
  snoozed_until: string | null
  closed_at: string | null
  closed_by: Pick<NonNullable<ImportedTicket['closed_by']>, 'type' | 'id'> | null
  resolution_secs: number | null
  reopened_count: number
  merged_into_id: string | null
  follow_up_of_id: string | null
  contact_identity: ImportedTicket['contact_identity']
  created_at: string
  participants: ExportedParticipant[]
  widget: NonNullable<ImportedTicket['widget']> | null
  /** Exports of older versions lack these fields. */
  updated_at?: string
  first_reply_at?: string | null
  first_bot_reply_at?: string | null
  last_contact_message_at?: string | null
  last_operator_message_at?: string | null
  waiting_since?: string | null
}

export interface ExportedMessage {
  id: string
  ticket_id: string
  sender_type: ImportedMessage['author']['type']
  sender_id: string | null
  sender_name: string | null
  sender_avatar_url: string | null
  content: string
  content_format: NonNullable<ImportedMessage['content_format']>
  content_html: string | null
  is_internal: boolean
  reply_to_id: string | null
  channel: string
  external_id: string | null
  delivery_status: NonNullable<ImportedMessage['delivery']>['status'] | 'pending' | 'scheduled'
  delivery_error: string | null
  delivery_attempts: number
  delivery_updated_at: string
  send_at: string | null
  email: (ImportedEmail & { mailbox_id: string | null; related_ticket_id: string | null }) | null
  system: Record<string, unknown> | null
  after_reply: string | null
  contact_identity: ImportedMessage['contact_identity']
  origin_ticket_id: string | null
  created_at: string
  updated_at: string | null
  edited_at: string | null
  deleted_at: string | null
  reactions: { reactor_kind: 'contact' | 'operator'; reactor_id: string; emoji: string; created_at: string }[]
  mail: { headers: NonNullable<ImportedEmail['headers']>; quoted_text: string; quoted_html: string | null }[]
  recipients: NonNullable<ImportedEmail['recipients']>
}

export interface ExportedMedia {
  id: string
  message_id: string | null
  position: number
  filename: string
  content_type: string
  size: number
  sha256: string
  created_at: string
}
