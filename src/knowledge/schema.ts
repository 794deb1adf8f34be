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
      description: 'Published articles directly in this category, in the requested locale',
    }),
    locale: Type.String({ description: 'The language of `title` and `description`', examples: ['en'] }),
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
      description: 'The URL in the public help centre; null if the project has none',
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
    score: Type.Optional(Type.Number({ description: 'Only with `q`: higher is better' })),
    highlight: Type.Optional(
      Type.Object(
        { title: Type.String(), content: Type.String() },
        { description: 'Only with `q`: escaped HTML with matches in `<mark>`' },
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
    content_html: Type.String({
      description: 'Sanitised HTML that is safe to display. The addresses of pictures are absolute',
    }),
    content_text: Type.String(),
  },
  { title: 'Article' },
)
export type Article = Static<typeof article>

const asked = text(35, { minLength: 1, examples: ['en'] })

export const categoryQuery = Type.Object({
  ...paging,
  locale: Type.Optional({
    ...asked,
    description: "The project's default locale is used if there is no text in this language",
  }),
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
      { description: 'Default: `-published_at`, or `-score` with `q`. `-score` requires `q`' },
    ),
  ),
  category_id: Type.Optional(Type.Array(text(64))),
  tag: Type.Optional(Type.Array(text(64), { maxItems: 50 })),
  q: Type.Optional(
    text(500, {
      description:
        'Words in the title, excerpt or content; `"in quotes"` searches for a phrase, `-word` excludes a word',
    }),
  ),
  locale: Type.Optional({
    ...asked,
    description:
      'Only articles in this language. Without it, each article is listed once, if possible in the default locale, and `q` searches in the default locale',
  }),
  updated_after: Type.Optional(timeInput),
})
export type ArticleQuery = Static<typeof articleQuery>

export const oneArticleQuery = Type.Object({
  locale: Type.Optional({
    ...asked,
    description: "The project's default locale is used if there is no text in this language",
  }),
})
export const oneCategoryQuery = oneArticleQuery
