import { articlePath, categoryPath, type HelpCentre, helpPath } from '../knowledge/knowledge.ts'
import type { Html } from './html.ts'
import type { Wording } from './texts/texts.ts'

/** A request to a help centre: the project and the language. */
export interface Visit {
  centre: HelpCentre
  /** The locale in the path: one with articles, or the default. */
  locale: string
  wording: Wording
  /** PUBLIC_URL without a trailing slash. */
  publicUrl: string
}

/** The content of a page, for the common layout. */
export interface HelpPage {
  title: string
  description?: string
  /** The path below the locale, such as `['articles', slug]`. */
  place: string[]
  /** The languages in which the page exists. Links to other languages lead to their home page. */
  locales: string[]
  /** False for what search engines should not list. */
  isIndexed?: boolean
  isHome?: boolean
  /** Shown in the search field. */
  query?: string
  /** JSON-LD. */
  facts?: object[]
  body: Html
}

export const localesOf = ({ default_locale, locales }: HelpCentre): string[] =>
  locales.includes(default_locale) ? locales : [default_locale, ...locales]

export const homeOf = ({ centre, locale }: Visit): string => helpPath(centre.slug, locale)

export const pathIn = ({ centre }: Visit, locale: string, place: string[]): string =>
  helpPath(centre.slug, locale, ...place)

export const articleAt = ({ centre, locale }: Visit, slug: string): string =>
  articlePath(centre.slug, locale, slug)

export const categoryAt = ({ centre, locale }: Visit, slug: string): string =>
  categoryPath(centre.slug, locale, slug)

/** There is no such page. `visit` is set if the help centre exists. */
export class Missing extends Error {
  readonly visit: Visit | null
  constructor(visit: Visit | null = null) {
    super('There is no such page')
    this.visit = visit
  }
}

/** The page has moved to another address. */
export class Moved extends Error {
  readonly path: string
  readonly status: 301 | 302 | 303
  constructor(path: string, status: 301 | 302 | 303 = 301) {
    super(`The page is at ${path}`)
    this.path = path
    this.status = status
  }
}
