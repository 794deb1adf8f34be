// Made by bin/docs of docs/widget.json; do not edit.
export interface components {
  schemas: {
    IdentifiedVisitor: { "token": string; "visitor": components['schemas']["Visitor"]; "is_new_visitor": boolean; "conflicts": ("external_id" | "telegram_id" | "email")[] }
    MessageMedia: { "id": string; "filename": string; "content_type": string; "size": number; "kind": "image" | "audio" | "video" | "file"; "width": number | null; "height": number | null; "duration": number | null; "url": string; "thumb_url": string | null }
    TicketRating: { "rating": number; "comment"?: string | null }
    Visitor: { "id": string; "is_identified": boolean; "is_verified": boolean; "name": string | null; "email": string | null; "ticket_id": string | null; "locale": string | null; "surface": "widget" | "page" }
    VisitorMessage: { "id": string; "ticket_id": string; "client_id": string | null; "sender_type": "contact" | "operator" | "bot"; "sender_name": string | null; "sender_avatar_url": string | null; "content_html": string; "preview": string; "media": (components['schemas']["MessageMedia"])[]; "reply_to_id": string | null; "reactions": ({ "emoji": string; "reactor_kind": "contact" | "operator"; "count": number })[]; "created_at": string; "edited_at": string | null }
    VisitorSession: { "token": string; "visitor": components['schemas']["Visitor"] }
    VisitorTicket: { "id": string; "short_id": string; "subject": string | null; "status": "new" | "open" | "pending" | "on_hold" | "closed"; "last_message": { "id": string; "sender_type": "contact" | "operator" | "bot"; "sender_name": string | null; "preview": string; "created_at": string } | null; "unread_count": number; "seen_at": string | null; "rating": number | null; "is_rateable": boolean; "operator": { "name": string; "avatar_url": string | null } | null; "created_at": string; "updated_at": string }
    WidgetConfig: { "name": string; "color": string; "logo_url": string | null; "position": "left" | "right"; "locale": string | null; "texts": { "title"?: string | null; "welcome"?: string | null; "away"?: string | null; "prechat"?: string | null; "launcher"?: string | null }; "prechat_fields": ({ "key": string; "type": "text" | "email" | "phone" | "multiline"; "labels"?: Record<string, string>; "is_required": boolean; "label": string })[]; "hours": { "is_open": boolean; "opens_at": string | null; "timezone": string } | null; "features": { "knowledge": boolean; "files": boolean; "rating": boolean; "max_file_bytes": number }; "requires_signature": boolean; "operators": ({ "name": string; "avatar_url": string | null })[] }
  }
}

export interface paths {
  "/projects/{project_id}/config": {
    get: { parameters: { path: { "project_id": string }; query?: { "locale"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["WidgetConfig"] } }; 304: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/session": {
    get: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Visitor"] } } } }
    delete: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/visitors": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "locale"?: string | null; "page_url"?: string | null; "surface"?: "widget" | "page" } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorSession"] } } } }
  }
  "/projects/{project_id}/identify": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "user"?: { "id"?: string | null; "email"?: string | null; "name"?: string | null; "phone"?: string | null }; "signature"?: string | null; "token"?: string | null; "locale"?: string | null; "page_url"?: string | null; "surface"?: "widget" | "page" } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["IdentifiedVisitor"] } } } }
  }
  "/projects/{project_id}/open": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "key": string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorSession"] } } } }
  }
  "/projects/{project_id}/tickets": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "content"?: string | null; "media_ids"?: (string)[]; "fields"?: Record<string, string>; "client_id"?: string | null; "page_url"?: string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorTicket"] } }; 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorTicket"] } } } }
    get: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "items": (components['schemas']["VisitorTicket"])[]; "unread_count": number } } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}": {
    get: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorTicket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/read": {
    put: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/rating": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["TicketRating"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorTicket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/messages": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "content"?: string | null; "media_ids"?: (string)[]; "reply_to_id"?: string | null; "client_id"?: string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorMessage"] } }; 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorMessage"] } } } }
    get: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: { "before"?: string; "limit"?: number }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "items": (components['schemas']["VisitorMessage"])[]; "has_more": boolean } } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/messages/{message_id}/reactions/{emoji}": {
    put: { parameters: { path: { "project_id": string; "ticket_id": string; "message_id": string; "emoji": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorMessage"] } } } }
    delete: { parameters: { path: { "project_id": string; "ticket_id": string; "message_id": string; "emoji": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["VisitorMessage"] } } } }
  }
  "/projects/{project_id}/files": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "multipart/form-data": { "file": Blob; "filename"?: string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["MessageMedia"] } } } }
  }
  "/projects/{project_id}/files/{media_id}": {
    get: { parameters: { path: { "project_id": string; "media_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "*/*": Blob } }; 206: { headers: Record<string, unknown>; content: { "*/*": Blob } }; 302: { headers: Record<string, unknown>; content?: never }; 304: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/stream": {
    get: { parameters: { path: { "project_id": string }; query: { "tab": string; "after"?: number }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "*/*": Blob } } } }
  }
  "/projects/{project_id}/presence": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "tab": string; "is_watching": boolean; "ticket_id": string | null } } }; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/typing": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "tab": string; "is_typing": boolean } } }; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/articles": {
    get: { parameters: { path: { "project_id": string }; query?: { "q"?: string; "locale"?: string; "page_size"?: number }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "items": ({ "id": string; "slug": string; "title": string; "excerpt": string; "locale": string; "url": string | null; "highlight": string | null })[] } } } } }
  }
  "/projects/{project_id}/articles/{article_id}": {
    get: { parameters: { path: { "project_id": string; "article_id": string }; query?: { "locale"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "id": string; "slug": string; "title": string; "excerpt": string; "locale": string; "url": string | null; "content_html": string } } } } }
  }
}
