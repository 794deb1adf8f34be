import { type Fragment, planned, type Sql } from '../core/db.ts'
import { escapeHtml } from '../core/markdown.ts'

/** Searching words in what is published in one language. */
export interface Search {
  words: Fragment
  score: Fragment
  columns: Fragment
}

export interface Highlight {
  title: string
  content: string
}

// Signs that no published text holds stand for the marks until the text is escaped, and for what `searchable` changes.
const [open, close, gap, less, cut] = ['\u0002', '\u0003', '\u0004', '\u0005', '\u0006']
const marks = `StartSel=${open}, StopSel=${close}`
const excerpts = `${marks}, MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=${gap}`

/** Characters: from so many each, 20 excerpts of common words took 0.2 s; from 50,000 they took 2.3 s. */
const excerptedFrom = 8_000

/** Every word must be found, or, where no article has them all, any of them. */
export async function searchFor(sql: Sql, projectId: string, q: string, locale: string): Promise<Search> {
  const config = sql`search_config(${locale})`
  const all = sql`websearch_to_tsquery(${config}, spaced(${q}::text))`
  const any = sql`replace(${all}::text, ' & ', ' | ')::tsquery`
  // Planned with its words: for those that nothing has, a plan for any words would read every article.
  const [row] = await planned(sql<{ words: string }[]>`
    select case when (${all})::text ~ '!' or exists (
        select from article_translations t
        where t.project_id = ${projectId} and t.locale = ${locale} and t.is_public and t.search @@ ${all})
      then ${all} else ${any} end::text as words`)
  const words = sql`${row!.words}::tsquery` as Fragment
  return {
    words,
    score: sql`ts_rank(t.search, ${words}, 1)::float8` as Fragment,
    columns: sql`, ts_rank(t.search, ${words}, 1)::float8 as score, jsonb_build_object(
      'title', ts_headline(${config}, spaced(t.title), ${words}, ${`${marks}, HighlightAll=true`}),
      'content', ts_headline(${config}, spaced(left(t.content_text, ${excerptedFrom})), ${words}, ${excerpts})
    ) as highlight` as Fragment,
  }
}

const wide = '\\u3000-\\u303f\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef'
const spaceBetween = new RegExp(`(?<=[${wide}][${open}${close}]*) +(?=[${open}${close}]*[${wide}])`, 'g')

const readable = (text: string): string => text.replaceAll(less, '<').replaceAll(cut, '')

const toHtml = (text: string): string =>
  escapeHtml(readable(text.replaceAll(/ {2,}/g, ' ')).replaceAll(spaceBetween, '').trim())
    .replaceAll(close + open, '')
    .replaceAll(open, '<mark>')
    .replaceAll(close, '</mark>')
    .replaceAll(gap, ' … ')

/** What the database marked as HTML: escaped, and nothing in it but the marks. */
export const toHighlight = <T extends { highlight?: Highlight }>(row: T): T =>
  row.highlight
    ? { ...row, highlight: { title: toHtml(row.highlight.title), content: toHtml(row.highlight.content) } }
    : row
