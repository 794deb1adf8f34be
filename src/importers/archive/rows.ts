import type {
  ExportedContact,
  ExportedMedia,
  ExportedMessage,
  ExportedOrganization,
  ExportedTicket,
} from './record-rows.ts'

/** The rows of an export, as `src/exports/tables.ts` writes them. Fields that an import does not read are left out. */

export interface ExportedOperator {
  id: string
  name: string
  email: string
}

export interface ExportedDepartment {
  id: string
  name: string
  is_default: boolean
  signature: string
  created_at: string
}

export interface ExportedTag {
  id: string
  name: string
  color: string | null
  created_at: string
}

export interface ExportedCustomField {
  id: string
  record: string
  key: string
  label: string
  type: string
  options: string[]
  is_required: boolean
  position: number
  created_at: string
}

export interface ExportedCannedAnswer {
  id: string
  owner_id: string | null
  department_id: string | null
  shortcut: string
  title: string
  content: string
  created_at: string
  updated_at: string
}

export interface ExportedSavedView {
  id: string
  owner_id: string
  name: string
  filters: unknown
  is_shared: boolean
  department_id?: string | null
  columns?: string[] | null
  density?: string | null
  layout?: string
  position: number
  created_at: string
}

export interface ExportedCategory {
  id: string
  parent_id: string | null
  name: string
  slug: string
  icon: string | null
  position: number
  created_at: string
  updated_at: string
  translations: { locale: string; title: string; description: string | null }[]
}

export interface ExportedArticleTranslation {
  locale: string
  draft_title: string
  draft_excerpt: string | null
  draft_markdown: string
  has_changes: boolean
  title: string | null
  excerpt: string | null
  content_markdown: string | null
  is_public: boolean
  published_at: string | null
  created_at: string
  updated_at: string
}

export interface ExportedPicture {
  locale: string
  is_published: boolean
  media_id: string
}

export interface ExportedArticle {
  id: string
  slug: string
  category_id: string | null
  author_id: string | null
  position: number
  tags: string[]
  status: string
  is_internal: boolean
  created_at: string
  translations: ExportedArticleTranslation[]
  /** Missing in exports of older versions. */
  pictures?: ExportedPicture[]
}

/** The tables of an export that an import reads. */
export interface ExportedRows {
  operators: ExportedOperator
  departments: ExportedDepartment
  tags: ExportedTag
  custom_fields: ExportedCustomField
  canned_answers: ExportedCannedAnswer
  saved_views: ExportedSavedView
  categories: ExportedCategory
  articles: ExportedArticle
  organizations: ExportedOrganization
  contacts: ExportedContact
  tickets: ExportedTicket
  messages: ExportedMessage
  media: ExportedMedia
}
