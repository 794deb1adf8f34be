import { articlePath, categoryPath, type HelpCentre, helpPath } from '../knowledge/knowledge.ts'
import type { Html } from './html.ts'
import type { Wording } from './texts/texts.ts'

/** Whose help centre is being read, and in which language. */
export interface Visit {
  centre: HelpCentre
  /** Of the path; one that the help centre is written in, or its default. */
  locale: string
  wording: Wording
  /** PUBLIC_URL without a slash at its end. */
  publicUrl: string
}

/** What a page puts into the frame that all share. */
export interface HelpPage {
  title: string
  description?: string
  /** Below the locale: `['articles', slug]`. */
  place: string[]
  /** The languages that the page exists in; the others lead to their home page. */
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

/** There is no such page; `visit` is known when the help centre is. */
export class Missing extends Error {
  readonly visit: Visit | null
  constructor(visit: Visit | null = null) {
    super('There is no such page')
    this.visit = visit
  }
}

/** The page has another address. */
export class Moved extends Error {
  readonly path: string
  readonly status: 301 | 302 | 303
  constructor(path: string, status: 301 | 302 | 303 = 301) {
    super(`The page is at ${path}`)
    this.path = path
    this.status = status
  }
}
