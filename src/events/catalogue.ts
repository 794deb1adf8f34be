import Type, { type Static } from 'typebox'
import { keysOf } from '../core/objects.ts'
import { id, nullable, oneOf, time } from '../core/schema.ts'
import { billingEvents } from './billing.ts'
import { describe, eventMedia, eventPerson, eventText, eventTextOrNull, eventTicket } from './shapes.ts'

/** Every event, with the shape of its `data`: specification §6.5. Nothing else can be emitted. */

export const catalogue = {
  'ticket.created': describe('A ticket is created in any channel, including the API', {
    ...eventTicket,
    status: eventText,
    priority: eventText,
    contact_id: id,
    subject: eventTextOrNull,
  }),
  'ticket.updated': describe(
    'A ticket is edited or assigned, or its status changes automatically. After PATCH, the data contains only ticket_id and workspace_id; ' +
      'otherwise `cause` says what happened, and the other fields depend on it',
    {
      ...eventTicket,
      workspace_id: Type.Optional(id),
      status: Type.Optional(eventText),
      previous_status: Type.Optional(eventText),
      cause: Type.Optional(eventText),
      merged_into_id: Type.Optional(id),
      merged_ticket_id: Type.Optional(id),
      contact_id: Type.Optional(id),
      previous_contact_id: Type.Optional(id),
    },
  ),
  'ticket.assigned': describe('A ticket is assigned or reassigned to an operator', {
    ...eventTicket,
    operator_id: id,
    operator_name: eventText,
    operator_avatar_url: eventTextOrNull,
    status: eventText,
  }),
  'ticket.transferred': describe(
    'A ticket is moved to another department, possibly directly to an operator',
    {
      ...eventTicket,
      department_id: nullable(id),
      department_name: eventTextOrNull,
      operator_id: nullable(id),
      operator_name: eventTextOrNull,
    },
  ),
  'ticket.force_taken': describe('An operator takes a ticket that is assigned to another operator', {
    ...eventTicket,
    operator_id: id,
    previous_operator_id: id,
  }),
  'ticket.closed': describe('A ticket is closed', {
    ...eventTicket,
    closed_at: time,
    resolution_secs: Type.Integer(),
  }),
  'ticket.reopened': describe('A ticket is reopened', { ...eventTicket, status: eventText }),
  'ticket.rated': describe('A ticket is rated. `comment` is present if the rating came through the API', {
    ...eventTicket,
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    comment: Type.Optional(eventTextOrNull),
  }),
  'message.created': describe('A new message in any channel, including internal notes and system messages', {
    id,
    message_id: id,
    ...eventTicket,
    sender_type: oneOf(['contact', 'operator', 'bot', 'system']),
    sender_id: nullable(id),
    sender_name: eventTextOrNull,
    content: eventText,
    is_internal: Type.Boolean(),
    media: Type.Array(eventMedia),
    created_at: time,
  }),
  'message.edited': describe('A message is edited', {
    id,
    message_id: id,
    ...eventTicket,
    content: eventText,
    is_internal: Type.Boolean(),
    edited_at: time,
  }),
  'message.reaction.added': describe('A widget visitor or an operator reacts to a message', {
    message_id: id,
    reactor_kind: oneOf(['contact', 'operator']),
    reactor_id: id,
    emoji: eventText,
  }),
  'message.reaction.removed': describe('A widget visitor removes a reaction', {
    message_id: id,
    reactor_id: id,
  }),
  'contact.created': describe(
    'The widget identifies a visitor for the first time and creates the contact',
    eventPerson,
  ),
  'contact.identified': describe(
    'The widget identifies a visitor; emitted on every identify call',
    eventPerson,
  ),
  'visitor.reply_waiting': describe(
    'An operator replies in the widget while the visitor is away from the chat',
    {
      contact_id: id,
      external_id: eventTextOrNull,
      telegram_user_id: nullable(Type.Integer()),
      ...eventTicket,
      ticket_short_id: eventText,
      message_id: id,
      operator_name: eventTextOrNull,
      preview: eventText,
      locale: eventTextOrNull,
      surface: oneOf(['widget', 'page']),
      open_url: eventText,
      replied_at: time,
    },
  ),
  'operator.status.changed': describe('An operator changes status', {
    user_id: id,
    status: oneOf(['online', 'away', 'dnd', 'custom', 'offline']),
    status_text: eventTextOrNull,
    status_emoji: eventTextOrNull,
  }),
  ...billingEvents,
} as const

export type EventType = keyof typeof catalogue
export type EventData<T extends EventType> = Static<(typeof catalogue)[T]>

/** An event to emit, with the data that its type requires. */
export type NewEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType]

export const eventTypes = keysOf(catalogue)

/** The test event is sent on request and never stored in the log. Its name may be listed in a subscription. */
export const testEvent = 'webhook.test'

/** The names that a subscription may list. */
export const subscribable: readonly string[] = [...eventTypes, testEvent]

/** Checked by `checkEventNames`, whose error lists the valid names. The title is its name in the OpenAPI document. */
export const eventName = Type.String({ maxLength: 100, title: 'EventType' })
