import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import { connectApart, type Db } from '../core/db/db.ts'
import { measurePool } from '../core/db/pools.ts'
import { paramOf } from '../core/http/param.ts'
import type { Log } from '../core/telemetry/log.ts'
import { limitConcurrency } from '../limits/concurrency.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendAddressBudget } from '../limits/rate-limit.ts'
import { sendErrorPage, sendFailure } from './error-pages.ts'
import { renderLayout } from './layout.ts'
import { type HelpPage, homeOf, Missing, Moved, type Visit } from './page.ts'
import { getArticlePage, showArticle } from './pages/article.ts'
import { listedOnPage, showAll, showCategory } from './pages/category.ts'
import { showHome } from './pages/home.ts'
import { showMissing } from './pages/missing.ts'
import { foundOnPage, showSearch } from './pages/search.ts'
import { findMaintenance } from './queries.ts'
import { acceptForms, pageNumberOf, queryOf } from './request.ts'
import { dropSlash, resolveAnyVisit, resolveVisit, throwMissing } from './resolve-visit.ts'
import { sendImmutable, sendMoved, sendPage, sendXml } from './send.ts'
import { robots, sitemapIndex, sitemapOf } from './sitemap.ts'
import { stylesheet, stylesheetPath } from './stylesheet.ts'
import { themeOf } from './theme.ts'
import { createViewCounter, isHumanReader, type ViewCounter } from './view-counter.ts'
import { recordArticleVote } from './vote.ts'

export interface SiteDeps {
  config: Config
  db: Db
  log: Log
  vault: Vault
  limiter: Limiter
}

type Show = (visit: Visit, request: FastifyRequest) => Promise<HelpPage>

/** Votes of one address per minute. */
const voteBudget = 20

/** Searches of one address per minute. They are the most expensive pages. */
const searchBudget = 30

/** A separate pool, because 60 concurrent searches used all connections of the API. */
const pool = { max: 3, statementTimeout: 3_000 }

function sendInside(request: FastifyRequest, reply: FastifyReply, visit: Visit, page: HelpPage) {
  const theme = themeOf(visit.centre.color)
  return sendPage(request, reply, { html: renderLayout(visit, page, theme), theme, locale: visit.locale })
}

/** The public help centres at /help/{project}/{locale}/…, without scripts. */
export async function mountHelp(app: FastifyInstance, deps: SiteDeps): Promise<void> {
  app.get('/robots.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots))
  await app.register(
    async site => {
      const db = connectApart(deps.db, pool)
      const unmeasure = measurePool('help', db)
      site.addHook('onClose', () => {
        unmeasure()
        return db.end({ timeout: 5 })
      })
      await mountSite(site, { ...deps, db })
    },
    { prefix: '/help' },
  )
}

async function mountSite(app: FastifyInstance, deps: SiteDeps): Promise<void> {
  app.get(stylesheetPath, async (request, reply) =>
    sendImmutable(request, reply, 'text/css; charset=utf-8', stylesheet),
  )
  await app.register(async pages => {
    pages.removeAllContentTypeParsers()
    limitConcurrency(pages, deps.config.requestsAtOnce)
    acceptForms(pages)
    guard(pages, deps)
    mountPages(pages, deps)
    mountMaps(pages, deps)
  })
}

function guard(app: FastifyInstance, { config, db, limiter }: SiteDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    // Reading has a separate budget, as large as that of requests without a key.
    await spendAddressBudget(limiter, 'help', request.ip, config.rateLimitPerIp)
    if (request.method === 'POST') await spendAddressBudget(limiter, 'vote', request.ip, voteBudget)
    if (await findMaintenance(db)) {
      return sendErrorPage(request, reply.header('retry-after', '60'), 503, 'closed')
    }
    dropSlash(request.url)
  })
  app.setErrorHandler(async (error: Error, request, reply) => {
    if (error instanceof Moved) return sendMoved(reply, error)
    if (!(error instanceof Missing)) return sendFailure(error, request, reply)
    if (!error.visit) return sendErrorPage(request, reply, 404, 'missing')
    return sendInside(request, reply.code(404), error.visit, await showMissing(db, error.visit))
  })
}

function mountPages(app: FastifyInstance, deps: SiteDeps): void {
  const { db, log } = deps
  const views = createViewCounter(db, log)
  app.addHook('onClose', () => views.stop())
  const page = (path: string, show: Show) =>
    app.get(path, async (request, reply) => {
      const visit = await resolveVisit(deps, request)
      return sendInside(request, reply, visit, await show(visit, request))
    })
  app.get('/:project', async (request, reply) => {
    const visit = await resolveAnyVisit(deps, request)
    return sendMoved(reply.header('vary', 'accept-language'), new Moved(homeOf(visit), 302))
  })
  page('/:project/:locale', visit => showHome(db, visit))
  page('/:project/:locale/search', async (visit, request) => {
    const query = queryOf(request, 'q')
    if (query !== '') await spendAddressBudget(deps.limiter, 'search', request.ip, searchBudget)
    return showSearch(db, visit, query, pageNumberOf(request, visit, foundOnPage))
  })
  page('/:project/:locale/categories/:slug', (visit, request) =>
    showCategory(db, visit, paramOf(request, 'slug'), pageNumberOf(request, visit, listedOnPage)),
  )
  page('/:project/:locale/articles', (visit, request) =>
    showAll(db, visit, pageNumberOf(request, visit, listedOnPage)),
  )
  page('/:project/:locale/articles/:slug', (visit, request) => readArticle(db, views, visit, request))
  app.post('/:project/:locale/articles/:slug', async (request, reply) => {
    const visit = await resolveVisit(deps, request)
    return sendMoved(reply, await recordArticleVote(deps, visit, paramOf(request, 'slug'), request))
  })
  for (const path of ['/', '/*']) app.all(path, request => throwMissing(deps, request))
}

async function readArticle(
  db: Db,
  views: ViewCounter,
  visit: Visit,
  request: FastifyRequest,
): Promise<HelpPage> {
  const article = await getArticlePage(db, visit, paramOf(request, 'slug'))
  const isThanked = queryOf(request, 'voted') !== ''
  if (request.method === 'GET' && !isThanked && isHumanReader(request.headers)) {
    views.add(visit.centre.id, article.id)
  }
  return showArticle(db, visit, article, isThanked)
}

function mountMaps(app: FastifyInstance, deps: SiteDeps): void {
  app.get('/:project/sitemap.xml', async (request, reply) =>
    sendXml(request, reply, sitemapIndex(await resolveAnyVisit(deps, request))),
  )
  app.get('/:project/:locale/sitemap.xml', async (request, reply) =>
    sendXml(request, reply, await sitemapOf(deps.db, await resolveVisit(deps, request))),
  )
}
