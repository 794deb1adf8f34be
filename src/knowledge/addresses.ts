/** Paths of the help centre below PUBLIC_URL. */

const join = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`

export const helpPath = (project: string, ...rest: string[]): string => join('help', project, ...rest)

export const articlePath = (project: string, locale: string, slug: string): string =>
  helpPath(project, locale, 'articles', slug)

export const categoryPath = (project: string, locale: string, slug: string): string =>
  helpPath(project, locale, 'categories', slug)
