// Made by bin/docs of docs/widget.json; do not edit.
import type { parts } from './parts.d.ts'

export interface components {
  schemas: parts & {
    IdentifiedVisitor: { "token": string; "visitor": components['schemas']["Visitor"]; "is_new_visitor": boolean; "conflicts": (components['schemas']["IdentifierName"])[] }
    MessageMedia: { "id": string; "filename": string; "content_type": string; "size": number; "kind": components['schemas']["MediaKind"]; "width": number | null; "height": number | null; "duration": number | null; "url": string; "thumb_url": string | null }
    TicketRating: { "rating": number; "comment"?: string | null }
    Upload: { "file": Blob; "filename"?: string }
    Visitor: { "id": string; "is_identified": boolean; "is_verified": boolean; "is_known": boolean; "name": string | null; "email": string | null; "ticket_id": string | null; "locale": string | null; "surface": components['schemas']["VisitorSurface"]; "last_seq": number }
    VisitorMessage: { "id": string; "ticket_id": string; "client_id": string | null; "sender_type": "contact" | "operator" | "bot"; "sender_name": string | null; "sender_avatar_url": string | null; "content_html": string; "preview": string; "media": (components['schemas']["MessageMedia"])[]; "reply_to_id": string | null; "reactions": ({ "emoji": string; "reactor_kind": components['schemas']["ReactorKind"]; "count": number })[]; "created_at": string; "edited_at": string | null }
    VisitorSession: { "token": string; "visitor": components['schemas']["Visitor"] }
    VisitorSurface: "widget" | "page"
    VisitorTicket: { "id": string; "short_id": string; "subject": string | null; "status": components['schemas']["TicketStatus"]; "last_message": { "id": string; "sender_type": "contact" | "operator" | "bot"; "sender_name": string | null; "preview": string; "created_at": string } | null; "unread_count": number; "seen_at": string | null; "rating": number | null; "is_rateable": boolean; "is_emailable": boolean; "telegram_username": string | null; "operator": { "name": string; "avatar_url": string | null } | null; "created_at": string; "updated_at": string }
    WidgetConfig: { "name": string; "color": string; "logo_url": string | null; "position": "left" | "right"; "locale": string | null; "texts": { "title"?: string | null; "welcome"?: string | null; "away"?: string | null; "prechat"?: string | null; "launcher"?: string | null }; "prechat_fields": ({ "key": string; "type": "text" | "email" | "phone" | "multiline"; "labels"?: Record<string, string>; "is_required": boolean; "label": string })[]; "hours": { "is_open": boolean; "opens_at": string | null; "timezone": string } | null; "features": { "knowledge": boolean; "files": boolean; "rating": boolean; "telegram": boolean; "max_file_bytes": number }; "requires_signature": boolean; "operators": ({ "name": string; "avatar_url": string | null })[]; "proactive_messages": ({ "id": string; "match": "contains" | "begins_with"; "address": string; "after_seconds": number; "repeat_after_days": number; "text": string; "sender": { "name": string; "avatar_url": string | null } })[] }
  }
}
