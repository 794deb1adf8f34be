import Type, { type Static } from 'typebox'
import { id, links, list, nullable, oneOf, paging, text, time, timeInput } from '../core/schema.ts'

const maybeText = nullable(Type.String())
const locale = Type.String({ examples: ['en'] })
const slug = Type.String({ examples: ['reset-your-password'] })

export const category = Type.Object(
  {
    id,
    parent_id: nullable(id),
    slug,
    title: Type.String(),
    description: maybeText,
    icon: maybeText,
    position: Type.Integer(),
    articles_count: Type.Integer({
      description: 'Published articles of the category itself, in the locale that was asked for',
    }),
    locale: Type.String({ description: 'Of `title` and `description`', examples: ['en'] }),
    updated_at: time,
    _links: links('self', 'articles'),
  },
  { title: 'Category' },
)
export type Category = Static<typeof category>

export const categoryList = list(category)

const fields = {
  id,
  slug,
  title: Type.String(),
  excerpt: Type.String({ description: 'Plain text, at most 300 characters' }),
  category_id: nullable(id),
  category: nullable(Type.Object({ id, slug, title: Type.String() })),
  tags: Type.Array(Type.String()),
  locale,
  available_locales: Type.Array(locale),
  url: nullable(
    Type.String({
      description: 'The page in the public help centre; null when the project has none',
      examples: ['https://desk.example.com/help/acme/en/articles/reset-your-password'],
    }),
  ),
  author: nullable(Type.Object({ id, name: Type.String() })),
  position: Type.Integer(),
  views_count: Type.Integer(),
  helpful_count: Type.Integer(),
  not_helpful_count: Type.Integer(),
  published_at: time,
  created_at: time,
  updated_at: time,
  _links: Type.Object({ self: Type.String(), category: Type.Optional(Type.String()) }),
}

export const listedArticle = Type.Object(
  {
    ...fields,
    score: Type.Optional(Type.Number({ description: 'With `q` only: higher is better' })),
    highlight: Type.Optional(
      Type.Object(
        { title: Type.String(), content: Type.String() },
        { description: 'With `q` only: HTML, escaped, what was found in `<mark>`' },
      ),
    ),
  },
  { title: 'ListedArticle' },
)
export type ListedArticle = Static<typeof listedArticle>

export const articleList = list(listedArticle)

export const article = Type.Object(
  {
    ...fields,
    content_markdown: Type.String(),
    content_html: Type.String({ description: 'Sanitised, safe to show' }),
    content_text: Type.String(),
  },
  { title: 'Article' },
)
export type Article = Static<typeof article>

const asked = text(35, { minLength: 1, examples: ['en'] })

export const categoryQuery = Type.Object({
  ...paging,
  locale: Type.Optional({ ...asked, description: "Falls back to the project's default locale" }),
})
export type CategoryQuery = Static<typeof categoryQuery>

export const articleQuery = Type.Object({
  ...paging,
  sort: Type.Optional(
    oneOf(
      [
        'published_at',
        '-published_at',
        'updated_at',
        '-updated_at',
        'position',
        '-position',
        'views_count',
        '-views_count',
        '-score',
      ],
      { description: 'Default `-published_at`; with `q` it is `-score`, which goes with `q` only' },
    ),
  ),
  category_id: Type.Optional(Type.Array(text(64))),
  tag: Type.Optional(Type.Array(text(64), { maxItems: 50 })),
  q: Type.Optional(
    text(500, {
      description: 'Words of title, excerpt and content; `"in quotes"` as they stand, `-word` leaves out',
    }),
  ),
  locale: Type.Optional({
    ...asked,
    description:
      'Only articles in this language. Without it each is shown once, in the default locale where it has that; `q` searches the default locale then',
  }),
  updated_after: Type.Optional(timeInput),
})
export type ArticleQuery = Static<typeof articleQuery>

export const oneArticleQuery = Type.Object({
  locale: Type.Optional({ ...asked, description: "Falls back to the project's default locale" }),
})
export const oneCategoryQuery = oneArticleQuery
