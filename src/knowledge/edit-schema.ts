import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, tags, text, time } from '../core/schema.ts'
import { maxArticleLength } from './render.ts'

/** Shapes of articles and categories in the dashboard, including drafts. */

const title = text(255, { minLength: 1, pattern: '\\S' })
const locale = text(35, { minLength: 1, examples: ['en'] })
const slug = text(100, { minLength: 1, examples: ['reset-your-password'] })
const position = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })
const statuses = ['draft', 'published', 'archived'] as const
const excerpt = nullable(text(300, { description: 'If null, the first words of the content are used' }))
const markdown = text(maxArticleLength)

const translation = Type.Object({
  locale,
  title: Type.String(),
  excerpt: nullable(Type.String()),
  markdown: Type.String(),
  has_changes: Type.Boolean({ description: 'Whether the draft differs from what the public sees' }),
  published_at: nullable(time),
})

const shared = {
  slug: Type.String(),
  category_id: nullable(id),
  position: Type.Integer(),
  tags: Type.Array(Type.String()),
  is_internal: Type.Boolean(),
  status: oneOf(statuses),
}

export const listedArticleDraft = Type.Object({
  id,
  title: Type.String(),
  ...shared,
  locales: Type.Array(Type.Object({ locale, has_changes: Type.Boolean(), is_published: Type.Boolean() })),
  views_count: Type.Integer(),
})
export type ListedArticleDraft = Static<typeof listedArticleDraft>
export const articleDraftList = Type.Object({ items: Type.Array(listedArticleDraft) })

export const articleDraft = Type.Object({
  id,
  ...shared,
  version: Type.Integer(),
  translations: Type.Array(translation),
})
export type ArticleDraft = Static<typeof articleDraft>

export const newArticleDraft = Type.Object({
  title,
  locale: Type.Optional(locale),
  markdown: Type.Optional(markdown),
  category_id: Type.Optional(nullable(id)),
})
export type NewArticleDraft = Static<typeof newArticleDraft>

export const articleDraftChange = Type.Partial(
  Type.Object({ slug, category_id: nullable(id), position, tags, is_internal: Type.Boolean() }),
)
export type ArticleDraftChange = Static<typeof articleDraftChange>

export const translationChange = Type.Object({ title, excerpt: Type.Optional(excerpt), markdown })
export type TranslationChange = Static<typeof translationChange>

export const previewed = Type.Object({ markdown })
export const preview = Type.Object({
  html: Type.String({ description: 'Sanitised HTML that is safe to display' }),
  excerpt: Type.String(),
})

const categoryWords = Type.Object({ locale, title: Type.String(), description: nullable(Type.String()) })

export const writtenCategory = Type.Object({
  id,
  parent_id: nullable(id),
  slug: Type.String(),
  icon: nullable(Type.String()),
  position: Type.Integer(),
  version: Type.Integer(),
  translations: Type.Array(categoryWords),
})
export type WrittenCategory = Static<typeof writtenCategory>
export const writtenCategories = Type.Object({
  items: Type.Array(writtenCategory),
  default_locale: Type.String(),
})

const description = nullable(text(1_000))
const icon = nullable(text(32))

export const newCategory = Type.Object({
  title,
  locale: Type.Optional(locale),
  description: Type.Optional(description),
  icon: Type.Optional(icon),
  parent_id: Type.Optional(nullable(id)),
})
export type NewCategory = Static<typeof newCategory>

export const categoryChange = Type.Partial(
  Type.Object({
    title,
    description,
    locale: { ...locale, description: 'The language of `title` and `description`' },
    icon,
    parent_id: nullable(id),
    slug,
    position,
  }),
)
export type CategoryChange = Static<typeof categoryChange>

const ids = Type.Array(id, { maxItems: 10_000 })
export const ordering = Type.Partial(Type.Object({ articles: ids, categories: ids }))
export type Ordering = Static<typeof ordering>

export const importReport = Type.Object({
  imported: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Array(
    Type.Object({ file: Type.String(), line: nullable(Type.Integer()), error: Type.String() }),
  ),
  warnings: Type.Array(Type.Object({ file: Type.String(), line: Type.Integer(), warning: Type.String() }), {
    description: 'Links to files that were not imported',
  }),
})
