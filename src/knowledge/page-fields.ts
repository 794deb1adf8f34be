import { readLocale } from '../core/text/locale.ts'
import { slugify } from '../core/text/slug.ts'
import { listTags } from '../tags/tags.ts'

/** The front matter of a page. Other names are ignored, because other tools use them. */
export interface PageFields {
  /** `category` if the page describes a category instead of an article. */
  kind?: 'article' | 'category'
  title: string
  slug: string
  excerpt?: string
  /** The path from the top of the tree. */
  category?: string[]
  locale: string
  tags?: string[]
  status?: 'draft' | 'published' | 'archived'
  position?: number
  is_internal?: boolean
  icon?: string
}

/** `result` is undefined if the value is invalid. */
type Reader = (value: unknown) => { field: string; wanted: string; result: unknown }

const reader =
  (field: keyof PageFields, wanted: string, read: (value: unknown) => unknown): Reader =>
  value => ({ field, wanted, result: read(value) })

const plainText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined

const text =
  (longest: number) =>
  (value: unknown): string | undefined => {
    const found = plainText(value)
    return found && found.length <= longest && !found.includes('\0') ? found : undefined
  }

const oneOf =
  (...words: string[]) =>
  (value: unknown): unknown =>
    words.find(word => word === value)

function readList(value: unknown, separator: string, longest: number, most: number): string[] | undefined {
  const parts = Array.isArray(value) ? value.map(plainText) : plainText(value)?.split(separator)
  const found = parts?.map(part => text(longest)(part))
  return found && found.length <= most && found.every(part => part !== undefined) ? found : undefined
}

const readSlug = (value: unknown): string | undefined => {
  const found = plainText(value)
  return found && slugify(found) === found ? found : undefined
}

const readInteger = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : undefined

const readLanguage = (value: unknown): string | undefined => readLocale(plainText(value) ?? '') ?? undefined

const readSwitch = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

export const fieldReaders: Record<string, Reader | undefined> = Object.assign(Object.create(null), {
  kind: reader('kind', 'article or category', oneOf('article', 'category')),
  title: reader('title', 'a text of at most 255 characters', text(255)),
  slug: reader('slug', 'at most 100 lower-case letters, digits and single hyphens', readSlug),
  excerpt: reader('excerpt', 'a text of at most 300 characters', text(300)),
  category: reader('category', 'a path such as Account/Passwords, five deep at most', value =>
    readList(value, '/', 255, 5),
  ),
  locale: reader('locale', 'a language tag such as en or pt-BR', readLanguage),
  tags: reader('tags', 'a list of at most 50 words of at most 64 characters', value => {
    const tags = readList(value, ',', 64, 50)
    return tags && listTags(tags)
  }),
  status: reader('status', 'one of draft, published, archived', oneOf('draft', 'published', 'archived')),
  position: reader('position', 'a whole number', readInteger),
  internal: reader('is_internal', 'true or false', readSwitch),
  icon: reader('icon', 'an emoji or a word of at most 32 characters', text(32)),
} satisfies Record<string, Reader>)
