import Type, { type Static } from 'typebox'
import { condition, conditionProblem, conditionsText } from '../conditions/schema.ts'
import { id, list, nullable, oneOf, shownFields, text, time, timeInput } from '../core/schema.ts'
import { sorts, ticket, ticketQuery } from '../tickets/schema.ts'
import { ticketColumns } from './columns.ts'

export const viewKinds = [
  'mine',
  'unassigned',
  'mentions',
  'department',
  'open',
  'closed',
  'snoozed',
  'all',
  'spam',
  'saved',
] as const

/** Lists that only the first screen leads to. */
export const dayKinds = ['my_departments', 'unread_mentions', 'late', 'my_snoozed', 'my_closed'] as const
export type DayKind = (typeof dayKinds)[number]

const marks = {
  is_unread: Type.Boolean({ description: 'Whether somebody else has written since the person read it' }),
  unread_count: Type.Integer({ description: 'Number of messages since then, at most 100' }),
  has_draft: Type.Boolean({ description: 'Whether the person has a draft for it' }),
  draft_preview: nullable(
    Type.String({
      description: 'The first characters of the latest draft, exactly as typed; null without a draft',
    }),
  ),
  last_message_author: nullable(
    Type.Object(
      { id: nullable(id), name: nullable(Type.String()), is_internal: Type.Boolean() },
      { title: 'LastMessageAuthor', description: 'Who wrote the last message, and whether it is a note' },
    ),
  ),
}

const ofContact = {
  organization: nullable(
    Type.Object(
      { id, name: Type.String() },
      { title: 'TicketOrganization', description: 'The organization of the contact' },
    ),
  ),
  contact_custom_fields: shownFields,
}

/** A ticket as a person sees it in a list. */
export const listedTicket = Type.Object(
  { ...ticket.properties, ...marks, ...ofContact },
  { title: 'ListedTicket' },
)
export type ListedTicket = Static<typeof listedTicket>
export type Marks = Pick<ListedTicket, keyof typeof marks>
export type OfContact = Pick<ListedTicket, keyof typeof ofContact>

export const listedTickets = list(listedTicket)

const personal = {
  unread: Type.Optional(Type.Boolean({ description: 'Only tickets with something unread' })),
  is_snoozed: Type.Optional(
    Type.Boolean({ description: 'Only snoozed tickets, or only tickets that are not snoozed' }),
  ),
  snoozed_before: Type.Optional({
    ...timeInput,
    description: 'Only tickets that are snoozed until before this time',
  }),
}

const { page, page_size, cursor, count, sort, is_spam, ...narrowing } = ticketQuery.properties

/** The filters of a view: the query of a list, without paging. `me` among the operators is the current operator. */
export const viewFilters = Type.Object({
  ...narrowing,
  ...personal,
  sort: Type.Optional(oneOf(sorts)),
  is_spam: Type.Optional(Type.Boolean()),
  conditions: Type.Optional(condition),
})
export type ViewFilters = Static<typeof viewFilters>

export const viewListQuery = Type.Object({
  view: Type.Optional(
    text(64, {
      description:
        'The `id` of a view. Other parameters override those of the view, but both its `conditions` and those of the query must hold',
    }),
  ),
  page,
  page_size,
  cursor,
  count,
  ...viewFilters.properties,
  conditions: Type.Optional(conditionsText),
  ids: Type.Optional(
    Type.Array(text(64), { maxItems: 100, description: 'Only these tickets, if they are in the list' }),
  ),
})
export type ViewListQuery = Static<typeof viewListQuery>

export const visibilities = ['private', 'department', 'everyone'] as const

const appearance = {
  columns: nullable(
    Type.Array(text(120, { minLength: 1 }), {
      maxItems: 50,
      description: `The columns of the table, in order: ${ticketColumns.join(', ')}, \`custom_fields.KEY\` or \`contact.custom_fields.KEY\`; null means the default columns`,
    }),
  ),
  density: nullable(
    oneOf(['compact', 'comfortable'], {
      description: 'The height of the rows; null means that each person chooses it',
    }),
  ),
  layout: oneOf(['list', 'table']),
}

const sharing = {
  visibility: oneOf(visibilities, {
    description:
      'Who sees the view. `private`: its owner. `department`: also the members of its department, owners and admins. `everyone`: everyone in the project. Only admins may share a view',
  }),
  department_id: nullable(Type.String({ description: 'The department with which the view is shared' })),
}

export const view = Type.Object(
  {
    id: Type.String({ description: 'The kind of the view, or the id of the department or saved view' }),
    kind: oneOf(viewKinds),
    name: nullable(Type.String({ description: 'The name of the department or saved view' })),
    count: nullable(
      Type.Integer({
        description:
          'Counted up to 1,000, for saved views up to 99; for `mentions`, only the unread ones. Null for views that search words, contacts or files, or take long to count, and for saved views after the 20th',
      }),
    ),
    is_capped: Type.Boolean({ description: 'Whether there are more than were counted' }),
    filters: nullable(Type.Object(viewFilters.properties)),
    owner_id: nullable(id),
    is_shared: Type.Boolean({ description: 'Whether the view is shared with everyone' }),
    ...sharing,
    ...appearance,
    problems: Type.Array(conditionProblem, {
      description:
        'Filters and columns that name something deleted or changed, with their paths in `filters` or in `columns`',
    }),
    created_at: nullable(time),
    version: nullable(Type.Integer()),
  },
  { title: 'View' },
)
export type View = Static<typeof view>

export const views = Type.Object({ items: Type.Array(view) })

const name = text(100, { minLength: 1, examples: ['Urgent invoices'] })
const isShared = Type.Boolean({
  description: 'True means the `visibility` `everyone`, false means `private`',
})
const optional = Type.Partial(Type.Object({ is_shared: isShared, ...sharing, ...appearance })).properties
export const newView = Type.Object({ name, filters: viewFilters, ...optional })
export type NewView = Static<typeof newView>

export const viewChange = Type.Object({
  name: Type.Optional(name),
  filters: Type.Optional(viewFilters),
  ...optional,
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
})
export type ViewChange = Static<typeof viewChange>

export const dayQuery = Type.Object({
  from: {
    ...timeInput,
    description: 'The beginning of the day in the time zone of the person, at most 48 hours ago',
  },
  until: { ...timeInput, description: 'The end of the day, within 48 hours' },
})
export type DayQuery = Static<typeof dayQuery>

export const day = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: oneOf(['mine', ...dayKinds], { description: 'The `id` of the view that lists these tickets' }),
      count: Type.Integer(),
      is_capped: Type.Boolean({ description: 'Whether there are more than were counted' }),
    }),
  ),
  next: nullable(
    Type.Object({
      view: oneOf(['mine', 'my_departments']),
      ticket: listedTicket,
    }),
  ),
})
export type Day = Static<typeof day>
