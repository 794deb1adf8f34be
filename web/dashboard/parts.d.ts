// Made by bin/docs of docs/dashboard.json; do not edit.
import type { components } from './schemas.d.ts'

export interface parts {
  AnyObject: Record<string, unknown>
  ApiProblemPlace: string | number
  ArticleAuthor: { "id": string; "name": string }
  ArticleCategory: { "id": string; "slug": string; "title": string }
  ArticleHighlight: { "title": string; "content": string }
  ArticleLinks: { "self": string; "category"?: string }
  BriefContact: { "id": string; "full_name": string | null; "email": string | null; "avatar_url": string | null; "is_blocked": boolean }
  CategoryLinks: { "self": string; "articles": string }
  ChangeAuthor: { "type": components['schemas']["CloserType"]; "id": string | null; "name": string | null }
  CloserType: "operator" | "api" | "contact" | "system"
  Condition: { "all"?: (components['schemas']["ConditionLevel2"])[]; "any"?: (components['schemas']["ConditionLevel2"])[]; "none"?: (components['schemas']["ConditionLevel2"])[]; "field"?: string; "op"?: components['schemas']["ConditionOperator"]; "value"?: (string | number | boolean | null)[] | string | number | boolean | null }
  ConditionKind: "choice" | "id" | "option" | "tags" | "message" | "name" | "text" | "time" | "date" | "number" | "flag"
  ConditionLeaf: { "field"?: string; "op"?: components['schemas']["ConditionOperator"]; "value"?: (string | number | boolean | null)[] | string | number | boolean | null }
  ConditionLevel2: { "all"?: (components['schemas']["ConditionLevel3"])[]; "any"?: (components['schemas']["ConditionLevel3"])[]; "none"?: (components['schemas']["ConditionLevel3"])[]; "field"?: string; "op"?: components['schemas']["ConditionOperator"]; "value"?: (string | number | boolean | null)[] | string | number | boolean | null }
  ConditionLevel3: { "all"?: (components['schemas']["ConditionLevel4"])[]; "any"?: (components['schemas']["ConditionLevel4"])[]; "none"?: (components['schemas']["ConditionLevel4"])[]; "field"?: string; "op"?: components['schemas']["ConditionOperator"]; "value"?: (string | number | boolean | null)[] | string | number | boolean | null }
  ConditionLevel4: { "all"?: (components['schemas']["ConditionLeaf"])[]; "any"?: (components['schemas']["ConditionLeaf"])[]; "none"?: (components['schemas']["ConditionLeaf"])[]; "field"?: string; "op"?: components['schemas']["ConditionOperator"]; "value"?: (string | number | boolean | null)[] | string | number | boolean | null }
  ConditionOperator: "any_of" | "none_of" | "has_any" | "has_all" | "has_none" | "contains_any" | "contains_all" | "contains_none" | "is" | "starts_with" | "before" | "after" | "between" | "within_last" | "older_than" | "lt" | "gt" | "empty" | "not_empty"
  ConditionProblem: { "loc": (components['schemas']["ApiProblemPlace"])[]; "type": "department_deleted" | "operator_deleted" | "tag_deleted" | "contact_deleted" | "organization_deleted" | "field_deleted" | "field_changed" }
  ContactIdentity: "proved" | "typed" | "none"
  ContactLinks: { "self": string; "contact": string; "tickets": string }
  CustomChannelState: "active" | "paused"
  CustomFieldItem: string | number | boolean
  CustomFieldType: "text" | "number" | "date" | "select" | "checkbox"
  CustomFieldValue: string | number | boolean | (components['schemas']["CustomFieldItem"])[]
  DataDeletionKind: "ticket" | "contact"
  DataDeletionState: "running" | "done"
  DkimKey: { "selector": string; "name": string; "record": string; "status": "new" | "published" | "missing" | "differs"; "is_signing": boolean; "checked_at": string | null; "created_at": string }
  Draft: { "content": string; "content_format": components['schemas']["ContentFormat"]; "is_internal": boolean; "media": (components['schemas']["MessageMedia"])[]; "mentions": (string)[]; "version": number; "updated_at": string }
  EmailAuthentication: { "dmarc": components['schemas']["EmailVerdict"]; "spf": components['schemas']["EmailVerdict"]; "dkim": components['schemas']["EmailVerdict"]; "arc"?: components['schemas']["EmailVerdict"] }
  EmailForward: { "message_id": string; "media_ids": (string)[] }
  EmailHeader: { "name": string; "value": string }
  EmailRecipient: { "address": string; "name": string | null; "kind": components['schemas']["EmailRecipientKind"]; "status": components['schemas']["EmailRecipientStatus"]; "code": string | null; "words": string | null; "updated_at": string }
  EmailRecipientKind: "to" | "cc" | "bcc"
  EmailRecipientStatus: "pending" | "sent" | "delayed" | "delivered" | "read" | "failed"
  EmailVerdict: "pass" | "fail" | "none" | "temperror"
  Event: Record<string, unknown>
  EventDescription: { "name": components['schemas']["EventType"]; "type": components['schemas']["EventType"]; "description": string; "schema": components['schemas']["AnyObject"]; "sample": components['schemas']["Event"] }
  FieldChange: { "field": string; "from": unknown; "to": unknown; "from_name"?: string | null; "to_name"?: string | null; "added"?: (string)[]; "removed"?: (string)[] }
  FieldRecord: "ticket" | "contact" | "organization"
  Highlight: { "field": components['schemas']["HighlightField"]; "message_id": string | null; "start": number; "end": number }
  HighlightField: "subject" | "content"
  Identity: { "type": components['schemas']["IdentityType"]; "value": string; "is_verified": boolean; "is_primary": boolean; "is_undeliverable": boolean }
  IdentityAuthor: { "type": string; "id": string | null; "name": string | null }
  IdentityType: "email" | "telegram" | "external" | "channel"
  IdentityVerifiedHow: "code" | "email" | "telegram" | "widget" | "person"
  IdentityVisitor: { "id": string; "is_verified": boolean; "surface": components['schemas']["VisitorSurface"]; "created_at": string; "seen_at": string }
  ImportState: "open" | "removing"
  KeptField: { "field": string; "reason": components['schemas']["KeptReason"]; "by": components['schemas']["ChangeAuthor"] | null; "at": string | null }
  KeptPart: { "kind": components['schemas']["KeptPartKind"]; "name": string }
  KeptPartKind: "field" | "identity" | "ticket"
  KeptReason: "changed_since" | "already_undone" | "not_found"
  ListedArticle: { "id": string; "slug": string; "title": string; "excerpt": string; "category_id": string | null; "category": components['schemas']["ArticleCategory"] | null; "tags": (string)[]; "locale": string; "available_locales": (string)[]; "url": string | null; "author": components['schemas']["ArticleAuthor"] | null; "position": number; "views_count": number; "helpful_count": number; "not_helpful_count": number; "published_at": string; "created_at": string; "updated_at": string; "_links": components['schemas']["ArticleLinks"]; "score"?: number; "highlight"?: components['schemas']["ArticleHighlight"] }
  LoggedMail: { "id": string; "mailbox_id": string | null; "source": components['schemas']["MailSource"]; "state": components['schemas']["LoggedMailState"]; "outcome": string | null; "reason": string | null; "sender": string | null; "subject": string | null; "size": number; "is_partial": boolean; "attempts": number; "ticket_id": string | null; "message_id": string | null; "reported_message_id": string | null; "received_at": string; "created_at": string }
  MailEnvelope: { "from": string | null; "to": (string)[]; "client_ip": string | null; "client_name": string | null; "is_secure": boolean | null }
  MailProvider: "microsoft" | "google" | "fastmail" | "gmx" | "icloud" | "ionos" | "mailbox_org" | "migadu" | "ovh" | "yahoo" | "zoho"
  MailSource: "imap" | "import" | "smtp" | "lmtp"
  MailboxError: { "code": string; "values": Record<string, string>; "text": string; "at": string }
  MailboxImap: { "host": string; "port": number; "security": "tls" | "starttls" | "none"; "user": string; "auth": "password" | "oauth"; "oauth": { "provider": "microsoft" | "google" | "custom"; "grant": "refresh_token" | "client_credentials"; "client_id": string; "token_url": string; "scope": string; "authorize_url"?: string } | null }
  MailboxKind: "imap" | "listen" | "none"
  MailboxProbeResult: { "state": "waiting" | "sent" | "ended"; "sent_at": string | null; "round_trip": number | null; "plus": "waiting" | "works" | "refused" | "too_long" | "not_arrived" | "untested"; "plus_refusal": string | null; "error": { "code": string; "values": Record<string, string>; "text": string } | null; "authentication": { "server": string | null; "spf": components['schemas']["EmailVerdict"]; "dkim": components['schemas']["EmailVerdict"]; "dmarc": components['schemas']["EmailVerdict"]; "arc": components['schemas']["EmailVerdict"] } | null }
  MailboxSending: "smtp" | "installation" | "none"
  MailboxSmtp: { "host": string; "port": number; "security": "tls" | "starttls" | "none"; "user": string; "auth": "imap" | "password" | "none" }
  MailboxState: "active" | "paused" | "broken"
  MediaKind: "image" | "audio" | "video" | "file"
  MergeDifference: { "field": string; "from": unknown; "into": unknown; "winner": components['schemas']["MergeSide"] }
  MergeSide: "from" | "into"
  MergeWinners: Record<string, components['schemas']["MergeSide"]>
  MessageDelivery: { "status": components['schemas']["MessageDeliveryStatus"]; "error": string | null; "attempts": number; "updated_at": string }
  MessageEmail: { "message_id": string | null; "in_reply_to": string | null; "from": string | null; "from_name": string | null; "to": (string)[]; "cc": (string)[]; "bcc": (string)[]; "recipients": (components['schemas']["EmailRecipient"])[]; "reply_to": (string)[]; "subject": string; "date": string | null; "mailbox_id": string | null; "thread_reason": string; "thread_evidence": string | null; "related_ticket_id": string | null; "warnings": (string)[]; "class": string; "authentication": components['schemas']["EmailAuthentication"]; "spam": boolean; "signature": string | null; "encrypted": string | null; "invitation": string | null; "truncated": (string)[]; "inline_media_ids": (string)[]; "has_quote": boolean; "has_raw": boolean; "forwarded"?: components['schemas']["EmailForward"] }
  MessageLinks: { "self": string; "ticket": string; "messages": string }
  NewEmail: { "to"?: (string)[]; "cc"?: (string)[]; "bcc"?: (string)[]; "subject"?: string | null; "mailbox_id"?: string | null }
  NewForwardEmail: { "to": (string)[]; "cc"?: (string)[]; "bcc"?: (string)[]; "subject"?: string | null; "mailbox_id"?: string | null }
  OrganizationBrief: { "id": string; "name": string }
  OrganizationLinks: { "self": string; "contacts": string; "tickets": string }
  Participant: { "address": string; "name": string | null; "reason": components['schemas']["ParticipantReason"] }
  ParticipantInput: { "address": string; "name"?: string | null }
  ParticipantReason: "contact" | "email" | "added" | "removed"
  Reaction: { "emoji": string; "reactor_kind": components['schemas']["ReactorKind"]; "reactor_id": string; "created_at": string }
  ReactorKind: "contact" | "operator"
  SenderDomainRecord: { "kind": "spf" | "dkim" | "dmarc"; "status": "ok" | "advice" | "missing" | "unknown"; "code": "spf_ok" | "spf_found" | "spf_missing" | "spf_missing_server" | "spf_several" | "spf_without_provider" | "dkim_ok" | "dkim_own" | "dkim_missing" | "dkim_by_server" | "dmarc_ok" | "dmarc_monitors" | "dmarc_missing" | "dmarc_several" | "look_up_failed"; "values": Record<string, string>; "record": string | null; "publish": ({ "type": "TXT" | "CNAME"; "name": string; "content": string })[] }
  Snippet: { "message_id": string; "start": number; "text": string }
  TelegramReceiving: "auto" | "polling" | "webhook"
  TelegramTexts: Record<string, { "greeting"?: string | null; "away"?: string | null; "closed"?: string | null }>
  TicketCloser: { "type": components['schemas']["CloserType"]; "id": string | null; "name": string | null }
  TicketContact: { "id": string; "full_name": string | null; "email": string | null; "telegram_id": number | null; "phone": string | null; "avatar_url": string | null; "is_blocked": boolean }
  TicketHistoryItem: { "id": string; "event_id": string | null; "type": string; "at": string; "by": components['schemas']["ChangeAuthor"]; "changes": (components['schemas']["FieldChange"])[]; "run_id": string | null; "undoes": string | null; "undone_at": string | null; "can_undo": boolean; "is_estimated": boolean }
  TicketLastMessage: { "id": string; "sender_type": components['schemas']["SenderType"]; "preview": string; "created_at": string }
  TicketLinks: { "self": string; "ticket": string; "messages": string; "contact": string }
  TicketOperator: { "id": string; "name": string; "avatar_url": string | null }
  TicketSla: { "first_reply_due_at": string | null; "next_reply_due_at": string | null; "resolution_due_at": string | null; "breached": (string)[] }
  UndoableMerge: { "contact": components['schemas']["BriefContact"]; "merged_at": string; "merged_by": components['schemas']["IdentityAuthor"]; "undo_until": string; "tickets_count": number }
  VisitorSurface: "widget" | "page"
}
