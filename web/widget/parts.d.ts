// Made by bin/docs of docs/widget.json; do not edit.
import type { components } from './schemas.d.ts'

export interface parts {
  IdentifierName: "external_id" | "telegram_id" | "email"
  MediaKind: "image" | "audio" | "video" | "file"
  ReactorKind: "contact" | "operator"
  TicketStatus: "new" | "open" | "pending" | "on_hold" | "closed"
}
