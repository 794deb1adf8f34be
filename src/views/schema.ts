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
  unread_count: Type.Integer({ description: 'Messages since then, 100 at most' }),
  has_draft: Type.Boolean({ description: 'Whether the person has typed something for it and not sent it' }),
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
  unread: Type.Optional(Type.Boolean({ description: 'Only those with something unread' })),
  is_snoozed: Type.Optional(Type.Boolean({ description: 'Only those asleep, or those awake' })),
}

const { page, page_size, cursor, count, sort, is_spam, ...narrowing } = ticketQuery.properties

/** What a view keeps: the query of a list, without its pages. `me` among the operators is whoever looks. */
export const viewFilters = Type.Object({
  ...narrowing,
  ...personal,
  sort: Type.Optional(oneOf(sorts)),
  is_spam: Type.Optional(Type.Boolean()),
})
export type ViewFilters = Static<typeof viewFilters>

export const viewListQuery = Type.Object({
  view: Type.Optional(
    text(64, { description: 'The `id` of a view; other parameters go before what the view says' }),
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
    id: Type.String({ description: 'Its kind; of a department or a saved view the id of that' }),
    kind: oneOf(viewKinds),
    name: nullable(Type.String({ description: 'Of a department or a saved view' })),
    count: nullable(
      Type.Integer({
        description:
          'Up to 1,000, of saved views up to 99; of `mentions` the unread ones; null where words, contacts or files are searched, and of saved views after the 20th',
      }),
    ),
    is_capped: Type.Boolean({ description: 'Whether there are more' }),
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
  is_shared: Type.Optional(Type.Boolean({ default: false, description: 'For everybody; admins only' })),
})
export type NewView = Static<typeof newView>

export const viewChange = Type.Object({
  name: Type.Optional(name),
  filters: Type.Optional(viewFilters),
  is_shared: Type.Optional(Type.Boolean()),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
})
export type ViewChange = Static<typeof viewChange>
