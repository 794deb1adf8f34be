import Type, { type Static } from 'typebox'
import { id, idInput, nullable, oneOf, time } from '../../core/schema.ts'
import { bulkError } from '../inbox-schema.ts'
import { closerType, ticket } from '../schema.ts'

/** What changed in a ticket, who changed it, and undoing it. */

const maybeText = nullable(Type.String())

export const keptReasons = ['changed_since', 'already_undone', 'not_found'] as const

const author = Type.Object(
  { type: closerType, id: nullable(id), name: maybeText },
  { title: 'ChangeAuthor', description: 'Who made the change' },
)

const anyValue = (example: string) =>
  Type.Unknown({ examples: [example], description: 'Any JSON value; null if the field was empty' })

const fieldChange = Type.Object(
  {
    field: Type.String({
      examples: ['priority'],
      description: 'The name of a field of the ticket, or `custom_fields.<key>`',
    }),
    from: anyValue('normal'),
    to: anyValue('urgent'),
    from_name: Type.Optional(
      nullable(Type.String({ description: 'The name of the operator, department or contact' })),
    ),
    to_name: Type.Optional(maybeText),
    added: Type.Optional(
      Type.Array(Type.String({ examples: ['vip'] }), {
        description: 'For `tags`, instead of `from` and `to`',
      }),
    ),
    removed: Type.Optional(Type.Array(Type.String({ examples: ['beta'] }))),
  },
  { title: 'FieldChange' },
)
export type ShownFieldChange = Static<typeof fieldChange>

export const historyItem = Type.Object(
  {
    id,
    event_id: nullable({ ...id, description: 'The event that reported the change, of the type `type`' }),
    type: Type.String({ examples: ['ticket.updated'] }),
    at: time,
    by: author,
    changes: Type.Array(fieldChange),
    run_id: nullable({ ...id, description: 'The bulk action that the change was part of' }),
    undoes: nullable({ ...id, description: 'The change that this one undid' }),
    undone_at: nullable(time),
    can_undo: Type.Boolean({
      description: 'Whether the change can be undone: its kind allows it, and it has not been undone yet',
    }),
    is_estimated: Type.Boolean({
      description: 'Whether it was reconstructed, because it happened before histories were written',
    }),
  },
  { title: 'TicketHistoryItem' },
)
export type HistoryItem = Static<typeof historyItem>

export const ticketHistory = Type.Object(
  { items: Type.Array(historyItem), has_more: Type.Boolean() },
  { title: 'TicketHistory' },
)
export type TicketHistory = Static<typeof ticketHistory>

export const historyQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  before: Type.Optional(
    Type.String({ description: 'The `id` of an item; the response continues with earlier ones' }),
  ),
})
export type HistoryQuery = Static<typeof historyQuery>

export const undoInput = Type.Object({
  id: Type.String({ description: 'The `id` of a change in the history, or of one of its events' }),
})
export type UndoInput = Static<typeof undoInput>

const keptField = Type.Object(
  {
    field: Type.String({ examples: ['tags'] }),
    reason: oneOf(keptReasons, {
      description:
        '`changed_since`: the field was changed later. `already_undone`: the whole change has been undone. `not_found`: the operator or department no longer exists',
    }),
    by: nullable({ ...author, description: 'Who changed the field last' }),
    at: nullable(time),
  },
  { title: 'KeptField' },
)
export type ShownKeptField = Static<typeof keptField>

const outcome = {
  undone: Type.Array(Type.String({ examples: ['priority'] }), {
    description: 'The fields that have their earlier values again',
  }),
  kept: Type.Array(keptField, { description: 'The fields that keep their current values' }),
}

export const undoResult = Type.Object({ ticket, ...outcome }, { title: 'UndoResult' })
export type UndoResult = Static<typeof undoResult>

export const runUndo = Type.Object({
  run_id: { ...idInput, description: 'The `run_id` of the bulk action' },
  ticket_ids: Type.Optional(
    Type.Array(idInput, {
      minItems: 1,
      maxItems: 500,
      description: 'Only these tickets; without it, all of the action',
    }),
  ),
})
export type RunUndo = Static<typeof runUndo>

export const runUndoResult = Type.Object(
  {
    items: Type.Array(Type.Object({ ticket_id: id, ...outcome, error: bulkError })),
    remaining: Type.Integer({
      description: 'How many of its changes are left. Repeat the request until this is 0',
    }),
  },
  { title: 'RunUndoResult' },
)
export type RunUndoResult = Static<typeof runUndoResult>
