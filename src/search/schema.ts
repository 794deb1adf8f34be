import Type, { type Static } from 'typebox'
import { contact } from '../contacts/schema.ts'
import { id, nullable, text } from '../core/schema.ts'
import { organization } from '../organizations/schema.ts'
import { ticket } from '../tickets/schema.ts'

export const searchQuery = Type.Object({
  q: text(500, {
    minLength: 1,
    description:
      "Words, the beginning of a contact's name or address, a part of an organization's name, or a ticket's number. Tickets are searched as in lists: `is:open` and other operators narrow them.",
  }),
})

const foundArticle = Type.Object({
  id,
  slug: Type.String(),
  locale: Type.String(),
  title: Type.String(),
  excerpt: Type.String(),
  path: nullable(Type.String({ description: 'The path of its page in the help centre on this server' })),
  highlight: Type.Optional(Type.Object({ title: Type.String(), content: Type.String() })),
})

export const found = Type.Object(
  {
    tickets: Type.Array(ticket),
    contacts: Type.Array(contact),
    organizations: Type.Array(organization),
    articles: Type.Array(foundArticle),
  },
  { title: 'Found' },
)
export type SearchResults = Static<typeof found>
