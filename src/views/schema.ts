import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, text, time } from '../core/schema.ts'
import { sorts, ticket, ticketQuery } from '../tickets/schema.ts'

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

const marks = {
  is_unread: Type.Boolean({ description: 'Whether somebody else has written since the person read it' }),
  unread_count: Type.Integer({ description: 'Number of messages since then, at most 100' }),
  has_draft: Type.Boolean({ description: 'Whether the person has a draft for it' }),
  draft_preview: nullable(
    Type.String({
      description: 'The first characters of the latest draft, exactly as typed; null without a draft',
    }),
  ),
}

/** A ticket as a person sees it in a list. */
export const listedTicket = Type.Object({ ...ticket.properties, ...marks }, { title: 'ListedTicket' })
export type ListedTicket = Static<typeof listedTicket>
export type Marks = Pick<ListedTicket, keyof typeof marks>

export const listedTickets = list(listedTicket)

const personal = {
  unread: Type.Optional(Type.Boolean({ description: 'Only tickets with something unread' })),
  is_snoozed: Type.Optional(
    Type.Boolean({ description: 'Only snoozed tickets, or only tickets that are not snoozed' }),
  ),
}

const { page, page_size, cursor, count, sort, is_spam, ...narrowing } = ticketQuery.properties

/** The filters of a view: the query of a list, without paging. `me` among the operators is the current operator. */
export const viewFilters = Type.Object({
  ...narrowing,
  ...personal,
  sort: Type.Optional(oneOf(sorts)),
  is_spam: Type.Optional(Type.Boolean()),
})
export type ViewFilters = Static<typeof viewFilters>

export const viewListQuery = Type.Object({
  view: Type.Optional(
    text(64, { description: 'The `id` of a view; other parameters override those of the view' }),
  ),
  page,
  page_size,
  cursor,
  count,
  ...viewFilters.properties,
})
export type ViewListQuery = Static<typeof viewListQuery>

export const view = Type.Object(
  {
    id: Type.String({ description: 'The kind of the view, or the id of the department or saved view' }),
    kind: oneOf(viewKinds),
    name: nullable(Type.String({ description: 'The name of the department or saved view' })),
    count: nullable(
      Type.Integer({
        description:
          'Counted up to 1,000, for saved views up to 99; for `mentions`, only the unread ones. Null for views that search words, contacts or files, and for saved views after the 20th',
      }),
    ),
    is_capped: Type.Boolean({ description: 'Whether there are more than were counted' }),
    filters: nullable(Type.Object(viewFilters.properties)),
    owner_id: nullable(id),
    is_shared: Type.Boolean(),
    created_at: nullable(time),
  },
  { title: 'View' },
)
export type View = Static<typeof view>

export const views = Type.Object({ items: Type.Array(view) })

const name = text(100, { minLength: 1, examples: ['Urgent invoices'] })
export const newView = Type.Object({
  name,
  filters: viewFilters,
  is_shared: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether it is shared with everybody; only admins may set this',
    }),
  ),
})
export type NewView = Static<typeof newView>

export const viewChange = Type.Object({
  name: Type.Optional(name),
  filters: Type.Optional(viewFilters),
  is_shared: Type.Optional(Type.Boolean()),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
})
export type ViewChange = Static<typeof viewChange>
