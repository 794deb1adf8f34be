import Type, { type Static } from 'typebox'
import type { Condition } from '../conditions/schema.ts'
import { fieldFilter, oneOf, paging, text, timeInput } from '../core/schema.ts'
import { priorities, ticketStatuses } from './status.ts'

/** The parameters of lists of tickets. */

export const sorts = [
  ...['created_at', 'updated_at', 'last_message_at'].flatMap(name => [name, `-${name}`]),
  'waiting_since',
]

const sort = Type.Optional(
  oneOf(sorts, {
    default: '-created_at',
    description:
      '`waiting_since`: first the tickets whose contact is waiting for a reply, longest wait first; then the others, latest message first',
  }),
)

const wordList = <const T extends readonly string[]>(values: T) =>
  Type.Optional(Type.Array(oneOf(values), { maxItems: 50 }))
const textList = (maxLength: number) => Type.Optional(Type.Array(text(maxLength), { maxItems: 50 }))

const filters = {
  status: wordList(ticketStatuses),
  priority: wordList(priorities),
  channel: textList(64),
  tag: textList(64),
  operator_id: Type.Optional(Type.Array(text(64), { maxItems: 50, description: '`none`: unassigned' })),
  department_id: Type.Optional(
    Type.Array(text(64), { maxItems: 50, description: '`none`: without a department' }),
  ),
  external_id: Type.Optional(text(255)),
  custom_fields: Type.Optional(fieldFilter),
  is_spam: Type.Optional(Type.Boolean({ default: false })),
  q: Type.Optional(
    text(500, {
      description:
        'Tickets with all words in the subject, or all in one message. `-word` excludes a word, and `#12` puts ticket 12 first. ' +
        'Operators narrow the list: `from:` `tag:` `is:` `status:` `priority:` `channel:` `before:` `after:` `has:file`. ' +
        'The guide "Build on the API" explains them under "Search".',
      examples: ['refund from:ann@example.com status:open,pending'],
    }),
  ),
  created_after: Type.Optional(timeInput),
  created_before: Type.Optional(timeInput),
  updated_after: Type.Optional(timeInput),
  updated_before: Type.Optional(timeInput),
  closed_after: Type.Optional(timeInput),
  closed_before: Type.Optional(timeInput),
  rating: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 5 }), { maxItems: 5 })),
  rated_after: Type.Optional(timeInput),
  rated_before: Type.Optional(timeInput),
  merged: Type.Optional(Type.Boolean({ description: 'Whether the ticket was merged into another one' })),
}

export const contactTicketQuery = Type.Object({
  ...paging,
  sort,
  ...filters,
})

export const ticketQuery = Type.Object({
  ...paging,
  sort,
  contact_id: textList(64),
  organization_id: Type.Optional(
    Type.Array(text(64), { maxItems: 50, description: "Tickets of these organizations' contacts" }),
  ),
  ...filters,
})
export type TicketQuery = Static<typeof ticketQuery>

/** Additional parameters of lists for a person. */
export interface TicketSearch extends TicketQuery {
  ids?: string[]
  is_snoozed?: boolean
  /** Whether the contact is waiting for a reply. */
  is_waiting?: boolean
  /** Tickets in which this operator is mentioned. */
  mentioned_id?: string
  /** Of these, only those in which the mention was not read yet. */
  unread_mentions?: boolean
  /** Tickets whose contact has been waiting for a reply since before this time. */
  waiting_before?: string
  snoozed_before?: string
  /** Tickets that this operator closed. */
  closed_by_id?: string
  /** Tickets with messages that this operator has not read. */
  unread_by?: string
  /** The current operator, to whom `is:mine` and `is:unread` in `q` and `me` in conditions refer. */
  viewer_id?: string
  /** All of these must be true beside the other filters. */
  conditions?: Condition
}
