import type { FastifyRequest } from 'fastify'
import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import { paramOf } from '../core/http/param.ts'
import { trimEnd } from '../core/text/trim.ts'
import { findHelpCentre, type HelpCentre, readLocale } from '../knowledge/knowledge.ts'
import { chooseLocale, findLocale } from './accept-language.ts'
import { localesOf, Missing, Moved, type Visit } from './page.ts'
import { wordingOf } from './texts/texts.ts'

export interface VisitDeps {
  config: Config
  db: Db
}

const visitOf = ({ publicUrl }: Config, centre: HelpCentre, locale: string): Visit => ({
  centre,
  locale,
  wording: wordingOf(locale),
  publicUrl: trimEnd(publicUrl, /\//),
})

const chosenFor = (request: FastifyRequest, centre: HelpCentre): string =>
  chooseLocale(request.headers['accept-language'], localesOf(centre), centre.default_locale)

async function getCentre(db: Db, slug: string): Promise<HelpCentre> {
  const centre = await findHelpCentre(db, slug)
  if (!centre) throw new Missing()
  return centre
}

/** The same address with another locale. */
function respell(url: string, locale: string): string {
  const [path = '', query] = url.split(/\?(.*)/s)
  const [start, help, project, , ...rest] = path.split('/')
  const respelt = [start, help, project, encodeURIComponent(locale), ...rest].join('/')
  return query ? `${respelt}?${query}` : respelt
}

/** The help centre and language of a path. Throws if there is none. */
export function resolveVisit(ground: VisitDeps, request: FastifyRequest): Promise<Visit> {
  return arriveAt(ground, request, paramOf(request, 'project'), paramOf(request, 'locale'))
}

async function arriveAt({ config, db }: VisitDeps, request: FastifyRequest, project: string, locale: string) {
  const centre = await getCentre(db, project)
  const spelt = readLocale(locale.replaceAll('_', '-'))
  const found = spelt && findLocale(spelt.toLowerCase(), localesOf(centre))
  if (!found) throw new Missing(visitOf(config, centre, chosenFor(request, centre)))
  // Temporary for a missing region, because it may get articles later.
  if (found !== locale) throw new Moved(respell(request.url, found), found === spelt ? 301 : 302)
  return visitOf(config, centre, found)
}

/** A visit without a language in the path. */
export async function resolveAnyVisit({ config, db }: VisitDeps, request: FastifyRequest): Promise<Visit> {
  const centre = await getCentre(db, paramOf(request, 'project'))
  return visitOf(config, centre, chosenFor(request, centre))
}

/** For unknown paths: the 404 page uses the language of the path, if there is one. */
export async function throwMissing(ground: VisitDeps, request: FastifyRequest): Promise<never> {
  const [, , project, locale] = request.url.split('?')[0]!.split('/')
  throw new Missing(project && locale ? await arriveAt(ground, request, project, locale) : null)
}

/** Redirects to the address without a trailing slash, because no page has one. */
export function dropSlash(url: string): void {
  const [path = '', query] = url.split(/\?(.*)/s)
  const short = trimEnd(path, /\//)
  if (short !== path && short !== '/help') throw new Moved(query ? `${short}?${query}` : short)
}
