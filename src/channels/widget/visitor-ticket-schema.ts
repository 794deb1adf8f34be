import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../../core/schema.ts'
import { ticketStatuses } from '../../tickets/schema.ts'

/** Tickets as visitors see them. */

const maybeText = nullable(Type.String())

const person = Type.Object({ name: Type.String(), avatar_url: maybeText })

export const visitorTicket = Type.Object(
  {
    id,
    short_id: Type.String(),
    subject: maybeText,
    status: oneOf(ticketStatuses),
    last_message: nullable(
      Type.Object({
        id,
        sender_type: oneOf(['contact', 'operator', 'bot']),
        sender_name: maybeText,
        preview: Type.String(),
        created_at: time,
      }),
    ),
    unread_count: Type.Integer(),
    seen_at: nullable({
      ...time,
      description: 'The time of the newest message from the visitor that an operator has seen',
    }),
    rating: nullable(Type.Integer()),
    is_rateable: Type.Boolean(),
    is_emailable: Type.Boolean({
      description:
        'Whether a copy can be sent by email: an operator has replied, the contact has an email address, and a mailbox can send',
    }),
    telegram_username: nullable(
      Type.String({
        description:
          'The username, without @, of the bot where the contact continues the conversation. Replies are sent there and also shown here. Null if they are only shown here',
        examples: ['acme_support_bot'],
      }),
    ),
    operator: nullable(person),
    created_at: time,
    updated_at: time,
  },
  { title: 'VisitorTicket' },
)
export type VisitorTicket = Static<typeof visitorTicket>

export const visitorTickets = Type.Object(
  { items: Type.Array(visitorTicket), unread_count: Type.Integer() },
  { title: 'VisitorTicketList' },
)
