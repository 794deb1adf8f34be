import Type, { type Static } from 'typebox'
import { contact } from '../contacts/schema.ts'
import { idInput, nullable, oneOf, text } from '../core/schema.ts'
import { customField } from '../custom-fields/schema.ts'
import { content, followUps, undoLimits } from '../messages/schema.ts'
import { organizationBrief } from '../organizations/schema.ts'
import { ticket, ticketChange } from './schema.ts'

/** Operations on tickets that people have and integrations do not. */

export const transfer = Type.Object({
  department_id: Type.String(),
  operator_id: Type.Optional(
    nullable(Type.String({ description: 'The operator to assign; without it, the ticket is unassigned' })),
  ),
})
export type Transfer = Static<typeof transfer>

const undoSeconds = Type.Integer(undoLimits)

export const undoTimes = Type.Object(
  {
    widget: {
      ...undoSeconds,
      description: 'For visitors who have left the chat; 0 for visitors who are in the chat',
    },
    email: undoSeconds,
    api: undoSeconds,
    telegram: undoSeconds,
    other: { ...undoSeconds, description: 'For all other channels' },
  },
  { description: 'Seconds during which a reply can be undone, by channel of the ticket' },
)
export type UndoTimes = Static<typeof undoTimes>

const choices = {
  undo_seconds: undoTimes,
  after_reply: oneOf(followUps, {
    description: 'The status that a new or open ticket gets when an operator replies',
  }),
  assigns_on_reply: Type.Boolean({
    description: 'Whether replying to an unassigned ticket assigns it to the writer',
  }),
}
export const inboxSettings = Type.Object(choices, { title: 'InboxSettings' })
export type InboxSettings = Static<typeof inboxSettings>

export const inboxSettingsChange = Type.Partial(inboxSettings)
export type InboxSettingsChange = Static<typeof inboxSettingsChange>

export const splitting = Type.Object({
  message_ids: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
  subject: Type.Optional(nullable(text(255))),
})
export type Splitting = Static<typeof splitting>

export const bulk = Type.Object({
  ticket_ids: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
  action: oneOf(['change', 'close', 'reopen', 'take', 'force_take', 'read', 'unread']),
  change: Type.Optional(ticketChange),
  comment: Type.Optional(nullable(content)),
  run_id: Type.Optional({
    ...idInput,
    description:
      'A UUID of your choice, the same in all requests of a bulk action, with which the action can be undone',
  }),
})
export type Bulk = Static<typeof bulk>

export const bulkError = nullable(
  Type.Object({
    error_code: Type.String(),
    error_message: Type.String(),
    detail: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  }),
)
const bulkResult = Type.Object({ ticket_id: Type.String(), error: bulkError })
export type BulkResult = Static<typeof bulkResult>

/** The result for each ticket. `error` is null if the action succeeded. */
export const bulkResults = Type.Object({ items: Type.Array(bulkResult) }, { title: 'BulkResults' })

export const ticketContext = Type.Object(
  {
    contact,
    organization: nullable(organizationBrief),
    tickets: Type.Array(ticket, { description: 'The ten newest of their other tickets' }),
    custom_fields: Type.Object({ ticket: Type.Array(customField), contact: Type.Array(customField) }),
  },
  { title: 'TicketContext' },
)
export type TicketContext = Static<typeof ticketContext>
