import { type Fragment, type Sql, unprepared } from '../core/db/db.ts'
import { markAll, markParts } from '../core/words/marks.ts'
import { readPlainPieces } from '../core/words/pieces.ts'
import { isStopword, stemmedLanguage } from '../core/words/stem.ts'
import { readTokens } from '../core/words/tokens.ts'
import { type Asked, ask, askBoth, findPlaces, type Group, printQuestion } from '../words/words.ts'

/** The search in the published articles of one language. */
export interface ArticleSearch {
  words: Fragment
  score: Fragment
  columns: Fragment
  mark<T extends Marked>(row: T): Omit<T, 'found_text'> & { highlight: ArticleHighlight }
}

export interface ArticleHighlight {
  title: string
  content: string
}

interface Marked {
  title: string
  found_text?: string
}

/** Matches are marked in this many characters. Marking twenty whole articles took 0.2 s. */
const markedFrom = 16_000

/** Whether a word is not a stop word of the language. */
function createStopwordFilter(locale: string): (asked: Asked) => boolean {
  const language = stemmedLanguage(locale)
  return ({ text, isPhrase }) =>
    isPhrase || language === null || readTokens(text).some(({ word }) => !isStopword(word, language))
}

/** The query for rows that an older version has indexed. */
const oldWords = (sql: Sql, q: string, locale: string): Fragment =>
  sql`websearch_to_tsquery(search_config(${locale}), spaced(${q}::text))`

interface Printed {
  all: string
  any: string
}

/** The condition for rows of the current and the older index; null if it finds no article. Planned with its values, see `unprepared`. */
async function findAny(
  sql: Sql,
  projectId: string,
  q: string,
  locale: string,
  question: string,
): Promise<string | null> {
  const { words } = await askBoth(
    sql,
    projectId,
    ['article_translations'],
    question,
    oldWords(sql, q, locale),
  )
  const [row] = await unprepared(sql<{ words: string }[]>`
    select ${words}::text as words where exists (
      select from article_translations t
      where t.project_id = ${projectId} and t.locale = ${locale} and t.is_public and t.search @@ ${words})`)
  return row?.words ?? null
}

function print(groups: Group[], excluded: Group[]): Printed {
  if (groups.length === 0) return { all: '', any: '' }
  const all = printQuestion(groups)
  if (excluded.length === 0) return { all, any: printQuestion(groups, '|') }
  const none = `(${all})&!(${printQuestion(excluded, '|')})`
  return { all: none, any: none }
}

interface Chosen {
  groups: Group[]
  question: string
}

/** Tries in order: all words as written, all words with similar spelling, any of the words. */
async function choose(sql: Sql, projectId: string, q: string, locale: string): Promise<Chosen> {
  const pieces = readPlainPieces(q)
  const manner = { beginnings: 'last', locale } as const
  const wanted = pieces.filter(({ isExcluded }) => !isExcluded).filter(createStopwordFilter(locale))
  const unwanted = pieces.filter(({ isExcluded }) => isExcluded)
  const excluded = await ask(sql, projectId, unwanted, { ...manner, isExact: true })
  let last: Chosen = { groups: [], question: '' }
  for (const corrected of ['none', 'all'] as const) {
    const groups = await ask(sql, projectId, wanted, { ...manner, corrected })
    const { all, any } = print(groups, excluded)
    const question = await findAny(sql, projectId, q, locale, all)
    if (question !== null) return { groups, question }
    last = { groups, question: any }
  }
  return last
}

export async function searchFor(
  sql: Sql,
  projectId: string,
  q: string,
  locale: string,
): Promise<ArticleSearch> {
  const { groups, question } = await choose(sql, projectId, q, locale)
  const words = sql`${question}::tsquery`
  const score = sql`ts_rank(t.search, ${words}, 1)::float8`
  return {
    words,
    score,
    columns: sql`, ${score} as score, left(t.content_text, ${markedFrom}) as found_text`,
    mark: ({ found_text = '', ...row }) => ({
      ...row,
      highlight: {
        title: markAll(row.title, findPlaces(groups, row.title, locale)),
        content: markParts(found_text, findPlaces(groups, found_text, locale)),
      },
    }),
  }
}
