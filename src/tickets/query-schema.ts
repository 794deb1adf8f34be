import Type, { type Static } from 'typebox'
import { fieldFilter, oneOf, paging, text, timeInput } from '../core/schema.ts'
import { priorities, ticketStatuses } from './status.ts'

/** The parameters of lists of tickets. */

export const sorts = ['created_at', 'updated_at', 'last_message_at'].flatMap(name => [name, `-${name}`])

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
  sort: Type.Optional(oneOf(sorts, { default: '-created_at' })),
  ...filters,
})

export const ticketQuery = Type.Object({
  ...paging,
  sort: Type.Optional(oneOf(sorts, { default: '-created_at' })),
  contact_id: textList(64),
  ...filters,
})
export type TicketQuery = Static<typeof ticketQuery>

/** Additional parameters of lists for a person. */
export interface TicketSearch extends TicketQuery {
  is_snoozed?: boolean
  /** Tickets in which this operator is mentioned. */
  mentioned_id?: string
  /** Tickets with messages that this operator has not read. */
  unread_by?: string
  /** The current operator, to whom `is:mine` and `is:unread` in `q` refer. */
  viewer_id?: string
}
