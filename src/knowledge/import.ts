import type { Db } from '../core/db/db.ts'
import { putCategory } from './category-tree.ts'
import { linkArticles, listBrokenLinks, type Slugs } from './links.ts'
import { type ImportedPage, PageProblem, readPage } from './page.ts'
import { getDefaultLocale } from './queries.ts'
import { type Failure, readSources, type Sources } from './sources.ts'
import { type Outcome, putArticle } from './write.ts'

export interface ImportReport {
  imported: number
  updated: number
  unchanged: number
  failed: Failure[]
  warnings: Warning[]
}

/** A problem that does not prevent the import, but that a person should check. */
interface Warning {
  file: string
  line: number
  warning: string
}

interface Read {
  pages: ImportedPage[]
  failed: Failure[]
}

function readPages({ files, failed }: Sources, locale: string): Read {
  const read: Read = { pages: [], failed: [...failed] }
  const taken = new Map<string, string>()
  for (const { file, bytes } of files) {
    try {
      const page = readPage(file, bytes, locale)
      const key = `${page.kind ?? 'article'} ${page.slug} ${page.locale}`
      const other = taken.get(key)
      if (other)
        throw new PageProblem(1, `has the slug and the locale of ${other}: ${page.slug}, ${page.locale}`)
      taken.set(key, file)
      read.pages.push(page)
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error
      read.failed.push({ file, line: error.line, error: error.message })
    }
  }
  return read
}

const importCategory = (db: Db, projectId: string, page: ImportedPage) =>
  putCategory(db, projectId, {
    path: [...(page.category ?? []), page.slug],
    locale: page.locale,
    title: page.title,
    description: page.excerpt ?? (page.markdown || null),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...(page.position !== undefined && { position: page.position }),
  })

async function importArticle(
  db: Db,
  projectId: string,
  page: ImportedPage,
  status?: ImportedPage['status'],
): Promise<Outcome> {
  const { category, tags, position, is_internal, slug, locale, title, excerpt, markdown } = page
  const { outcome } = await putArticle(db, projectId, {
    slug,
    locale,
    title,
    markdown,
    excerpt: excerpt ?? null,
    status: page.status ?? status,
    ...(category && { category }),
    ...(tags && { tags }),
    ...(position !== undefined && { position }),
    ...(is_internal !== undefined && { is_internal }),
  })
  return outcome
}

const warnOf = (page: ImportedPage, slugs: Slugs): Warning[] =>
  listBrokenLinks(page, slugs).map(({ line, target }) => ({
    file: page.file,
    line,
    warning: `leads to ${target}, which is not imported`,
  }))

/** Imports Markdown files into the knowledge base. An invalid file does not prevent the import of the others. */
export async function importArticles(
  db: Db,
  projectId: string,
  path: string,
  status?: ImportedPage['status'],
): Promise<ImportReport> {
  const { pages, failed } = readPages(await readSources(path), await getDefaultLocale(db, projectId))
  const articles = pages.filter(page => page.kind !== 'category')
  const slugs = new Map(articles.map(({ file, slug }) => [file, slug]))
  const warnings = articles.flatMap(page => warnOf(page, slugs))
  const report: ImportReport = { imported: 0, updated: 0, unchanged: 0, failed, warnings }
  for (const page of pages.filter(one => one.kind === 'category')) await importCategory(db, projectId, page)
  for (const page of articles) {
    const linked = { ...page, markdown: linkArticles(page, slugs) }
    report[await importArticle(db, projectId, linked, status)]++
  }
  return report
}
