// Made by bin/docs of docs/dashboard.json; do not edit.
export interface components {
  schemas: {
    Article: { "id": string; "slug": string; "title": string; "excerpt": string; "category_id": string | null; "category": { "id": string; "slug": string; "title": string } | null; "tags": (string)[]; "locale": string; "available_locales": (string)[]; "url": string | null; "author": { "id": string; "name": string } | null; "position": number; "views_count": number; "helpful_count": number; "not_helpful_count": number; "published_at": string; "created_at": string; "updated_at": string; "_links": { "self": string; "category"?: string }; "content_markdown": string; "content_html": string; "content_text": string }
    ArticleList: { "items": (components['schemas']["ListedArticle"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    Category: { "id": string; "parent_id": string | null; "slug": string; "title": string; "description": string | null; "icon": string | null; "position": number; "articles_count": number; "locale": string; "updated_at": string; "_links": { "self": string; "articles": string } }
    CategoryList: { "items": (components['schemas']["Category"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    Contact: { "id": string; "internal_id": string; "external_id": string | null; "workspace_id": string; "full_name": string | null; "email": string | null; "phone": string | null; "telegram_id": number | null; "telegram_username": string | null; "identities": ({ "type": "email" | "telegram" | "external"; "value": string; "is_verified": boolean; "is_primary": boolean })[]; "avatar_url": string | null; "language": string | null; "timezone": string | null; "source": string; "tags": (string)[]; "custom_fields": Record<string, unknown>; "note": string | null; "is_blocked": boolean; "blocked_at": string | null; "tickets_count": number; "open_tickets_count": number; "last_seen_at": string | null; "version": number; "created_at": string; "updated_at": string; "_links": { "self": string; "contact": string; "tickets": string } }
    ContactChange: { "telegram_id"?: number | string | null; "email"?: string | null; "external_id"?: string | null; "full_name"?: string | null; "phone"?: string | null; "language"?: string | null; "custom_fields"?: Record<string, string | number | boolean | null | (string | number | boolean)[]>; "tags"?: (string)[]; "telegram_username"?: string | null; "avatar_url"?: string | null; "timezone"?: string | null; "note"?: string | null; "is_blocked"?: boolean }
    ContactList: { "items": (components['schemas']["Contact"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    ContactMerge: { "into_contact_id": string }
    CreatedContact: { "id": string; "internal_id": string; "external_id": string | null; "workspace_id": string; "full_name": string | null; "email": string | null; "phone": string | null; "telegram_id": number | null; "telegram_username": string | null; "identities": ({ "type": "email" | "telegram" | "external"; "value": string; "is_verified": boolean; "is_primary": boolean })[]; "avatar_url": string | null; "language": string | null; "timezone": string | null; "source": string; "tags": (string)[]; "custom_fields": Record<string, unknown>; "note": string | null; "is_blocked": boolean; "blocked_at": string | null; "tickets_count": number; "open_tickets_count": number; "last_seen_at": string | null; "version": number; "created_at": string; "updated_at": string; "_links": { "self": string; "contact": string; "tickets": string }; "created": boolean; "conflicts": ("external_id" | "telegram_id" | "email")[] }
    Delivery: { "id": string; "webhook_id": string; "event_id": string; "event_type": string; "status": "pending" | "succeeded" | "failed" | "cancelled"; "is_test": boolean; "attempts": number; "next_attempt_at": string | null; "created_at": string; "finished_at": string | null; "last_status_code": number | null; "last_error": string | null; "attempts_log": (components['schemas']["DeliveryAttempt"])[]; "request_body": string | null }
    DeliveryAttempt: { "attempt": number; "at": string; "status_code": number | null; "error": string | null; "latency_ms": number; "response_excerpt": string | null }
    DeliveryList: { "items": (components['schemas']["Delivery"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    Department: { "id": string; "name": string; "is_default": boolean; "operator_ids": (string)[]; "created_at": string }
    DepartmentList: { "items": (components['schemas']["Department"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    InboxSettings: { "after_reply": "pending" | "leave" | "close"; "assigns_on_reply": boolean }
    ListedArticle: { "id": string; "slug": string; "title": string; "excerpt": string; "category_id": string | null; "category": { "id": string; "slug": string; "title": string } | null; "tags": (string)[]; "locale": string; "available_locales": (string)[]; "url": string | null; "author": { "id": string; "name": string } | null; "position": number; "views_count": number; "helpful_count": number; "not_helpful_count": number; "published_at": string; "created_at": string; "updated_at": string; "_links": { "self": string; "category"?: string }; "score"?: number; "highlight"?: { "title": string; "content": string } }
    ListedWebhook: { "id": string; "url": string; "events": (string)[]; "is_active": boolean; "description": string; "created_at": string }
    Media: { "id": string; "filename": string; "content_type": string; "size": number; "kind": "image" | "audio" | "video" | "file"; "width": number | null; "height": number | null; "duration": number | null; "sha256": string; "url": string; "thumb_url": string | null; "message_id": string | null; "created_at": string; "expires_at": string | null }
    Message: { "id": string; "ticket_id": string; "workspace_id": string; "sender_type": "contact" | "operator" | "bot" | "system"; "sender_id": string | null; "sender_name": string | null; "sender_avatar_url": string | null; "content": string; "content_format": "text" | "markdown" | "html"; "content_html": string; "is_internal": boolean; "media": (components['schemas']["MessageMedia"])[]; "reply_to_id": string | null; "reactions": ({ "emoji": string; "reactor_kind": "contact" | "operator"; "reactor_id": string; "created_at": string })[]; "channel": string; "external_id": string | null; "delivery": { "status": "pending" | "scheduled" | "sent" | "delivered" | "read" | "failed"; "error": string | null; "attempts": number; "updated_at": string }; "send_at": string | null; "email": Record<string, unknown> | null; "system": Record<string, unknown> | null; "version": number; "created_at": string; "edited_at": string | null; "deleted_at": string | null; "_links": { "self": string; "ticket": string; "messages": string } }
    MessageChange: { "content": string; "content_format"?: "text" | "markdown" | "html" }
    MessageList: { "items": (components['schemas']["Message"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    MessageMedia: { "id": string; "filename": string; "content_type": string; "size": number; "kind": "image" | "audio" | "video" | "file"; "width": number | null; "height": number | null; "duration": number | null; "url": string; "thumb_url": string | null }
    NewContact: { "telegram_id"?: number | string | null; "email"?: string | null; "external_id"?: string | null; "full_name"?: string | null; "phone"?: string | null; "language"?: string | null; "custom_fields"?: Record<string, string | number | boolean | null | (string | number | boolean)[]>; "tags"?: (string)[] }
    NewReply: { "content"?: string | null; "content_format"?: "text" | "markdown" | "html"; "media_ids"?: (string)[]; "is_internal"?: boolean; "reply_to_id"?: string | null; "external_id"?: string | null; "send_at"?: string | null; "mentions"?: (string)[]; "undo_seconds"?: number; "after_reply"?: "pending" | "leave" | "close"; "last_seen_message_id"?: string | null; "unless_newer"?: boolean }
    NewTicket: { "contact": components['schemas']["TicketContact"]; "subject"?: string | null; "status"?: "new" | "open" | "pending" | "on_hold" | "closed"; "priority"?: "low" | "normal" | "high" | "urgent"; "content"?: string | null; "content_format"?: "text" | "markdown" | "html"; "media_ids"?: (string)[]; "department_id"?: string | null; "operator_id"?: string | null; "tags"?: (string)[]; "custom_fields"?: Record<string, string | number | boolean | null | (string | number | boolean)[]>; "external_id"?: string | null }
    NewWebhook: { "url": string; "events"?: (string)[] | null; "description"?: string | null }
    PostedReply: { "id": string; "ticket_id": string; "workspace_id": string; "sender_type": "contact" | "operator" | "bot" | "system"; "sender_id": string | null; "sender_name": string | null; "sender_avatar_url": string | null; "content": string; "content_format": "text" | "markdown" | "html"; "content_html": string; "is_internal": boolean; "media": (components['schemas']["MessageMedia"])[]; "reply_to_id": string | null; "reactions": ({ "emoji": string; "reactor_kind": "contact" | "operator"; "reactor_id": string; "created_at": string })[]; "channel": string; "external_id": string | null; "delivery": { "status": "pending" | "scheduled" | "sent" | "delivered" | "read" | "failed"; "error": string | null; "attempts": number; "updated_at": string }; "send_at": string | null; "email": Record<string, unknown> | null; "system": Record<string, unknown> | null; "version": number; "created_at": string; "edited_at": string | null; "deleted_at": string | null; "_links": { "self": string; "ticket": string; "messages": string }; "newer_messages": (components['schemas']["Message"])[] }
    Project: { "id": string; "name": string; "plan": string; "features": { "knowledge_base": boolean }; "tickets": components['schemas']["Usage"]; "created_at": string }
    ReadMark: { "last_read_message_at": string | null; "previous_read_message_at": string | null }
    RegisteredWebhook: { "id": string; "url": string; "events": (string)[]; "secret": string; "is_active": boolean; "description": string; "created_at": string }
    Tag: { "id": string; "name": string; "created_at": string }
    TagList: { "items": (components['schemas']["Tag"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    TakenBack: { "content": string; "content_format": "text" | "markdown" | "html"; "is_internal": boolean; "reply_to_id": string | null; "media": (components['schemas']["MessageMedia"])[]; "mentions": (string)[]; "send_at": string | null }
    TestRequest: { "event"?: string }
    TestResult: { "delivered": boolean; "status_code": number | null; "error": string | null; "latency_ms": number; "delivery_id": string; "signature_header": string }
    Ticket: { "id": string; "short_id": string; "workspace_id": string; "subject": string | null; "status": "new" | "open" | "pending" | "on_hold" | "closed"; "priority": "low" | "normal" | "high" | "urgent"; "channel": string; "contact_id": string; "contact": { "id": string; "full_name": string | null; "email": string | null; "telegram_id": number | null; "phone": string | null; "avatar_url": string | null; "is_blocked": boolean }; "operator_id": string | null; "operator": { "id": string; "name": string; "avatar_url": string | null } | null; "department_id": string | null; "department_name": string | null; "tags": (string)[]; "custom_fields": Record<string, unknown>; "external_id": string | null; "is_spam": boolean; "over_limit": boolean; "language": string | null; "rating": number | null; "rating_comment": string | null; "rated_at": string | null; "messages_count": number; "last_message": { "id": string; "sender_type": "contact" | "operator" | "bot" | "system"; "preview": string; "created_at": string } | null; "created_at": string; "updated_at": string; "first_reply_at": string | null; "last_contact_message_at": string | null; "last_operator_message_at": string | null; "waiting_since": string | null; "snoozed_until": string | null; "closed_at": string | null; "closed_by": { "type": "operator" | "api" | "contact" | "system"; "id": string | null } | null; "resolution_secs": number | null; "reopened_count": number; "sla": { "first_reply_due_at": string | null; "next_reply_due_at": string | null; "resolution_due_at": string | null; "breached": (string)[] }; "merged_into_id": string | null; "follow_up_of_id": string | null; "version": number; "_links": { "self": string; "ticket": string; "messages": string; "contact": string } }
    TicketChange: { "subject"?: string; "status"?: "new" | "open" | "pending" | "on_hold" | "closed"; "priority"?: "low" | "normal" | "high" | "urgent"; "operator_id"?: string | null; "department_id"?: string | null; "tags"?: (string)[]; "custom_fields"?: Record<string, string | number | boolean | null | (string | number | boolean)[]>; "snoozed_until"?: string | null; "external_id"?: string | null; "is_spam"?: boolean }
    TicketClosing: { "comment"?: string | null; "is_internal"?: boolean }
    TicketContact: { "telegram_id"?: number | string | null; "email"?: string | null; "external_id"?: string | null; "full_name"?: string | null; "phone"?: string | null; "language"?: string | null; "custom_fields"?: Record<string, string | number | boolean | null | (string | number | boolean)[]> }
    TicketList: { "items": (components['schemas']["Ticket"])[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null }
    TicketMerge: { "into_ticket_id": string; "force"?: boolean }
    TicketRating: { "rating": number; "comment"?: string | null }
    TicketReopening: { "comment"?: string | null }
    TicketTransfer: { "department_id": string; "operator_id"?: string | null }
    Usage: { "limit": number | null; "used": number; "resets_at": string }
    Webhook: { "id": string; "url": string; "events": (string)[]; "is_active": boolean; "description": string; "created_at": string; "consecutive_failures": number }
    WebhookChange: { "url"?: string; "events"?: (string)[] | null; "description"?: string | null; "is_active"?: boolean }
    WebhookList: { "items": (components['schemas']["ListedWebhook"])[] }
  }
}

export interface paths {
  "/sign-in": {
    get: { parameters: { path?: never; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "oidc_name": string | null; "sends_mail": boolean } } } } }
  }
  "/resets": {
    post: { parameters: { path?: never; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "email": string } } }; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/links/{token}": {
    get: { parameters: { path: { "token": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "purpose": "set_up" | "invite" | "reset"; "project": { "id": string; "name": string; "color": string | null; "logo_url": string | null } | null; "email": string | null; "name": string | null; "has_account": boolean; "expires_at": string } } } } }
    post: { parameters: { path: { "token": string }; query?: never; header?: never; cookie?: never }; requestBody?: { content: { "application/json": { "name"?: string; "email"?: string; "password"?: string } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "project_id": string | null; "is_signed_in": boolean } } } } }
  }
  "/me": {
    get: { parameters: { path?: never; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "user": { "id": string; "name": string; "email": string; "image": string | null; "has_password": boolean; "has_second_factor": boolean; "settings": Record<string, unknown> }; "memberships": ({ "project": { "id": string; "name": string; "color": string | null; "logo_url": string | null }; "operator_id": string; "role": "operator" | "admin" | "owner"; "is_suspended": boolean; "requires_second_factor": boolean })[] } } } } }
    patch: { parameters: { path?: never; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "name"?: string; "settings"?: Record<string, unknown> } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "user": { "id": string; "name": string; "email": string; "image": string | null; "has_password": boolean; "has_second_factor": boolean; "settings": Record<string, unknown> }; "memberships": ({ "project": { "id": string; "name": string; "color": string | null; "logo_url": string | null }; "operator_id": string; "role": "operator" | "admin" | "owner"; "is_suspended": boolean; "requires_second_factor": boolean })[] } } } } }
  }
  "/projects/{project_id}/tickets": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["NewTicket"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "sort"?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "last_message_at" | "-last_message_at"; "contact_id"?: (string)[]; "status"?: ("new" | "open" | "pending" | "on_hold" | "closed")[]; "priority"?: ("low" | "normal" | "high" | "urgent")[]; "channel"?: (string)[]; "tag"?: (string)[]; "operator_id"?: (string)[]; "department_id"?: (string)[]; "external_id"?: string; "is_spam"?: boolean; "q"?: string; "created_after"?: string; "created_before"?: string; "updated_after"?: string; "updated_before"?: string; "closed_after"?: string; "closed_before"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["TicketList"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}": {
    get: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
    patch: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["TicketChange"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/close": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: { content: { "application/json": components['schemas']["TicketClosing"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/reopen": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: { content: { "application/json": components['schemas']["TicketReopening"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/rate": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["TicketRating"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/merge": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["TicketMerge"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/contacts/{contact_id}/tickets": {
    get: { parameters: { path: { "project_id": string; "contact_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "sort"?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "last_message_at" | "-last_message_at"; "status"?: ("new" | "open" | "pending" | "on_hold" | "closed")[]; "priority"?: ("low" | "normal" | "high" | "urgent")[]; "channel"?: (string)[]; "tag"?: (string)[]; "operator_id"?: (string)[]; "department_id"?: (string)[]; "external_id"?: string; "is_spam"?: boolean; "q"?: string; "created_after"?: string; "created_before"?: string; "updated_after"?: string; "updated_before"?: string; "closed_after"?: string; "closed_before"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["TicketList"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/messages": {
    get: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "order"?: "asc" | "desc"; "after_id"?: string; "before_id"?: string; "sender_type"?: ("contact" | "operator" | "bot" | "system")[]; "is_internal"?: boolean; "delivery_status"?: ("pending" | "scheduled" | "sent" | "delivered" | "read" | "failed")[] }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["MessageList"] } } } }
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["NewReply"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["PostedReply"] } }; 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["PostedReply"] } } } }
  }
  "/projects/{project_id}/messages/{message_id}": {
    get: { parameters: { path: { "project_id": string; "message_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
    patch: { parameters: { path: { "project_id": string; "message_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["MessageChange"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
    delete: { parameters: { path: { "project_id": string; "message_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["TakenBack"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/messages/{message_id}": {
    patch: { parameters: { path: { "project_id": string; "ticket_id": string; "message_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["MessageChange"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
  }
  "/projects/{project_id}/messages/{message_id}/retry": {
    post: { parameters: { path: { "project_id": string; "message_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
  }
  "/projects/{project_id}/contacts": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["NewContact"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["CreatedContact"] } } } }
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "sort"?: "created_at" | "-created_at" | "updated_at" | "-updated_at"; "email"?: string; "telegram_id"?: number; "phone"?: string; "external_id"?: string; "is_blocked"?: boolean; "q"?: string; "created_after"?: string; "created_before"?: string; "updated_after"?: string; "updated_before"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["ContactList"] } } } }
  }
  "/projects/{project_id}/contacts/{contact_id}": {
    get: { parameters: { path: { "project_id": string; "contact_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Contact"] } } } }
    patch: { parameters: { path: { "project_id": string; "contact_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["ContactChange"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Contact"] } } } }
  }
  "/projects/{project_id}/contacts/{contact_id}/merge": {
    post: { parameters: { path: { "project_id": string; "contact_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["ContactMerge"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Contact"] } } } }
  }
  "/projects/{project_id}/media/upload": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "multipart/form-data": { "file": Blob; "filename"?: string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Media"] } } } }
  }
  "/projects/{project_id}/media/{media_id}": {
    get: { parameters: { path: { "project_id": string; "media_id": string }; query?: { "inline"?: boolean }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "*/*": Blob } }; 206: { headers: Record<string, unknown>; content: { "*/*": Blob } }; 302: { headers: Record<string, unknown>; content?: never }; 304: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/media/{media_id}/info": {
    get: { parameters: { path: { "project_id": string; "media_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Media"] } } } }
  }
  "/projects/{project_id}/media/{media_id}/thumb": {
    get: { parameters: { path: { "project_id": string; "media_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "*/*": Blob } }; 302: { headers: Record<string, unknown>; content?: never }; 304: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/knowledge-base/categories": {
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "locale"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["CategoryList"] } } } }
  }
  "/projects/{project_id}/knowledge-base/categories/{category_id}": {
    get: { parameters: { path: { "project_id": string; "category_id": string }; query?: { "locale"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Category"] } } } }
  }
  "/projects/{project_id}/knowledge-base/articles": {
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "sort"?: "published_at" | "-published_at" | "updated_at" | "-updated_at" | "position" | "-position" | "views_count" | "-views_count" | "-score"; "category_id"?: (string)[]; "tag"?: (string)[]; "q"?: string; "locale"?: string; "updated_after"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["ArticleList"] } } } }
  }
  "/projects/{project_id}/knowledge-base/articles/{article_id}": {
    get: { parameters: { path: { "project_id": string; "article_id": string }; query?: { "locale"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Article"] } } } }
  }
  "/projects/{project_id}/webhooks": {
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["NewWebhook"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["RegisteredWebhook"] } } } }
    get: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["WebhookList"] } } } }
  }
  "/projects/{project_id}/webhooks/{webhook_id}": {
    get: { parameters: { path: { "project_id": string; "webhook_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Webhook"] } } } }
    patch: { parameters: { path: { "project_id": string; "webhook_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["WebhookChange"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Webhook"] } } } }
    delete: { parameters: { path: { "project_id": string; "webhook_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/webhooks/{webhook_id}/test": {
    post: { parameters: { path: { "project_id": string; "webhook_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: { content: { "application/json": components['schemas']["TestRequest"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["TestResult"] } } } }
  }
  "/projects/{project_id}/webhooks/{webhook_id}/rotate-secret": {
    post: { parameters: { path: { "project_id": string; "webhook_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["RegisteredWebhook"] } } } }
  }
  "/projects/{project_id}/webhooks/{webhook_id}/deliveries": {
    get: { parameters: { path: { "project_id": string; "webhook_id": string }; query?: { "status"?: ("pending" | "succeeded" | "failed" | "cancelled")[]; "event"?: (string)[]; "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["DeliveryList"] } } } }
  }
  "/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}": {
    get: { parameters: { path: { "project_id": string; "webhook_id": string; "delivery_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Delivery"] } } } }
  }
  "/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": {
    post: { parameters: { path: { "project_id": string; "webhook_id": string; "delivery_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 202: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Delivery"] } } } }
  }
  "/projects/{project_id}/project": {
    get: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Project"] } } } }
  }
  "/projects/{project_id}/operators": {
    get: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "items": ({ "id": string; "name": string; "email": string; "role": "operator" | "admin" | "owner"; "avatar_url": string | null; "status": "online" | "away" | "dnd" | "custom" | "offline"; "status_text": string | null; "status_emoji": string | null; "department_ids": (string)[]; "created_at": string; "last_seen_at": string | null; "has_account": boolean; "has_second_factor": boolean; "invitation_expires_at": string | null })[] } } } } }
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "email": string; "name": string; "role"?: "operator" | "admin" | "owner"; "department_ids"?: (string)[] } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": { "operator": { "id": string; "name": string; "email": string; "role": "operator" | "admin" | "owner"; "avatar_url": string | null; "status": "online" | "away" | "dnd" | "custom" | "offline"; "status_text": string | null; "status_emoji": string | null; "department_ids": (string)[]; "created_at": string; "last_seen_at": string | null; "has_account": boolean; "has_second_factor": boolean; "invitation_expires_at": string | null }; "link": { "url": string; "expires_at": string; "is_mailed": boolean } } } } } }
  }
  "/projects/{project_id}/departments": {
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["DepartmentList"] } } } }
    post: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "name": string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Department"] } } } }
  }
  "/projects/{project_id}/operators/{operator_id}": {
    get: { parameters: { path: { "project_id": string; "operator_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "id": string; "name": string; "email": string; "role": "operator" | "admin" | "owner"; "avatar_url": string | null; "status": "online" | "away" | "dnd" | "custom" | "offline"; "status_text": string | null; "status_emoji": string | null; "department_ids": (string)[]; "created_at": string; "last_seen_at": string | null; "has_account": boolean; "has_second_factor": boolean; "invitation_expires_at": string | null } } } } }
    patch: { parameters: { path: { "project_id": string; "operator_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "name"?: string; "role"?: "operator" | "admin" | "owner"; "department_ids"?: (string)[] } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "id": string; "name": string; "email": string; "role": "operator" | "admin" | "owner"; "avatar_url": string | null; "status": "online" | "away" | "dnd" | "custom" | "offline"; "status_text": string | null; "status_emoji": string | null; "department_ids": (string)[]; "created_at": string; "last_seen_at": string | null; "has_account": boolean; "has_second_factor": boolean; "invitation_expires_at": string | null } } } } }
    delete: { parameters: { path: { "project_id": string; "operator_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/operators/{operator_id}/invitation": {
    post: { parameters: { path: { "project_id": string; "operator_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": { "operator": { "id": string; "name": string; "email": string; "role": "operator" | "admin" | "owner"; "avatar_url": string | null; "status": "online" | "away" | "dnd" | "custom" | "offline"; "status_text": string | null; "status_emoji": string | null; "department_ids": (string)[]; "created_at": string; "last_seen_at": string | null; "has_account": boolean; "has_second_factor": boolean; "invitation_expires_at": string | null }; "link": { "url": string; "expires_at": string; "is_mailed": boolean } } } } } }
  }
  "/projects/{project_id}/operators/{operator_id}/reset": {
    post: { parameters: { path: { "project_id": string; "operator_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": { "url": string; "expires_at": string; "is_mailed": boolean } } } } }
  }
  "/projects/{project_id}/departments/{department_id}": {
    patch: { parameters: { path: { "project_id": string; "department_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "name"?: string; "is_default"?: true; "operator_ids"?: (string)[] } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Department"] } } } }
    delete: { parameters: { path: { "project_id": string; "department_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never } } }
  }
  "/projects/{project_id}/security": {
    patch: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "requires_second_factor": boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "requires_second_factor": boolean } } } } }
  }
  "/projects/{project_id}/tags": {
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["TagList"] } } } }
  }
  "/projects/{project_id}/audit": {
    get: { parameters: { path: { "project_id": string }; query?: { "page"?: number; "page_size"?: number; "cursor"?: string; "count"?: boolean; "action"?: string; "author_id"?: string; "target_id"?: string; "created_after"?: string; "created_before"?: string }; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { "items": ({ "id": string; "author_type": "operator" | "api" | "cli" | "system"; "author_id": string | null; "author_name": string | null; "action": string; "target_type": string; "target_id": string | null; "target_name": string | null; "detail": Record<string, unknown>; "created_at": string })[]; "page": number | null; "page_size": number; "total": number | null; "total_capped"?: boolean; "pages": number | null; "has_more": boolean; "next_cursor": string | null } } } } }
  }
  "/projects/{project_id}/messages/{message_id}/reschedule": {
    post: { parameters: { path: { "project_id": string; "message_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "send_at": string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
  }
  "/projects/{project_id}/messages/{message_id}/reactions/{emoji}": {
    put: { parameters: { path: { "project_id": string; "message_id": string; "emoji": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
    delete: { parameters: { path: { "project_id": string; "message_id": string; "emoji": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Message"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/read": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["ReadMark"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/unread": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["ReadMark"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/take": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/force-take": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/tickets/{ticket_id}/transfer": {
    post: { parameters: { path: { "project_id": string; "ticket_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": components['schemas']["TicketTransfer"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["Ticket"] } } } }
  }
  "/projects/{project_id}/inbox-settings": {
    get: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["InboxSettings"] } } } }
    patch: { parameters: { path: { "project_id": string }; query?: never; header?: never; cookie?: never }; requestBody: { content: { "application/json": { "after_reply"?: "pending" | "leave" | "close"; "assigns_on_reply"?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": components['schemas']["InboxSettings"] } } } }
  }
}
