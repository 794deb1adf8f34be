import Type, { type Static } from 'typebox'
import { id, nullable, time, words } from '../core/schema.ts'
import { billingEvents } from './billing.ts'
import { describe, maybeText, media, person, text, ticket } from './shapes.ts'

/** Every event, with the shape of its `data`: specification §6.5. Nothing else can be emitted. */

export const catalogue = {
  'ticket.created': describe('A ticket is created in any channel, API included', {
    ...ticket,
    status: text,
    priority: text,
    contact_id: id,
    subject: maybeText,
  }),
  'ticket.updated': describe(
    'A ticket is edited or assigned, or its status changes automatically. After PATCH, the data contains only ticket_id and workspace_id; ' +
      'otherwise `cause` says what happened, and the other fields depend on it',
    {
      ...ticket,
      workspace_id: Type.Optional(id),
      status: Type.Optional(text),
      previous_status: Type.Optional(text),
      cause: Type.Optional(text),
      merged_into_id: Type.Optional(id),
      merged_ticket_id: Type.Optional(id),
      contact_id: Type.Optional(id),
      previous_contact_id: Type.Optional(id),
    },
  ),
  'ticket.assigned': describe('A ticket is assigned to an operator, reassignment included', {
    ...ticket,
    operator_id: id,
    operator_name: text,
    operator_avatar_url: maybeText,
    status: text,
  }),
  'ticket.transferred': describe(
    'A ticket is moved to another department, possibly directly to an operator',
    {
      ...ticket,
      department_id: nullable(id),
      department_name: maybeText,
      operator_id: nullable(id),
      operator_name: maybeText,
    },
  ),
  'ticket.force_taken': describe('An operator takes a ticket that is assigned to another', {
    ...ticket,
    operator_id: id,
    previous_operator_id: id,
  }),
  'ticket.closed': describe('A ticket is closed', {
    ...ticket,
    closed_at: time,
    resolution_secs: Type.Integer(),
  }),
  'ticket.reopened': describe('A ticket is reopened', { ...ticket, status: text }),
  'ticket.rated': describe('A rating is left; comment when the rating came through the API', {
    ...ticket,
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    comment: Type.Optional(maybeText),
  }),
  'message.created': describe('A new message in any channel, internal notes and system messages included', {
    id,
    message_id: id,
    ...ticket,
    sender_type: words(['contact', 'operator', 'bot', 'system']),
    sender_id: nullable(id),
    sender_name: maybeText,
    content: text,
    is_internal: Type.Boolean(),
    media: Type.Array(media),
    created_at: time,
  }),
  'message.edited': describe('A message is edited', {
    id,
    message_id: id,
    ...ticket,
    content: text,
    is_internal: Type.Boolean(),
    edited_at: time,
  }),
  'message.reaction.added': describe('A widget visitor or an operator reacts to a message', {
    message_id: id,
    reactor_kind: words(['contact', 'operator']),
    reactor_id: id,
    emoji: text,
  }),
  'message.reaction.removed': describe('A widget visitor removes a reaction', {
    message_id: id,
    reactor_id: id,
  }),
  'contact.created': describe(
    'The widget identifies a visitor for the first time and creates the contact',
    person,
  ),
  'contact.identified': describe('Every identify call from the widget', person),
  'visitor.reply_waiting': describe(
    'An operator replies in the widget while the visitor is away from the chat',
    {
      contact_id: id,
      external_id: maybeText,
      telegram_user_id: nullable(Type.Integer()),
      ...ticket,
      ticket_short_id: text,
      message_id: id,
      operator_name: maybeText,
      preview: text,
      locale: maybeText,
      surface: words(['widget', 'page']),
      open_url: text,
      replied_at: time,
    },
  ),
  'operator.status.changed': describe('An operator changes status', {
    user_id: id,
    status: words(['online', 'away', 'dnd', 'custom', 'offline']),
    status_text: maybeText,
    status_emoji: maybeText,
  }),
  ...billingEvents,
} as const

export type EventType = keyof typeof catalogue
export type EventData<T extends EventType> = Static<(typeof catalogue)[T]>

/** An event to emit, with the data that its type requires. */
export type NewEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType]

export const eventTypes = Object.keys(catalogue) as EventType[]

/** The test event is sent on request and never stored in the log. Its name may be listed in a subscription. */
export const testEvent = 'webhook.test'

/** The names that a subscription may list. */
export const subscribable: readonly string[] = [...eventTypes, testEvent]

/** Checked by `checkEventNames`, whose error lists the valid names. The title is its name in the OpenAPI document. */
export const eventName = Type.String({ maxLength: 100, title: 'EventType' })
