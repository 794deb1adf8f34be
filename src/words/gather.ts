import type { Db, Fragment, Sql } from '../core/db.ts'
import { keyOf, remaindersOf } from '../core/words/spelling.ts'
import { stemmedLanguage, stemOf } from '../core/words/stem.ts'
import { readTokens } from '../core/words/tokens.ts'
import { insertWords, lockProgress, newestTime, type Place, type Progress, saveProgress } from './queries.ts'
import type { Gathered, Written } from './source.ts'

/** Gathers the words that a project has written: those that differ only in their ending, or by a typing error, are found by them. */

/** Records that a transaction reads. */
const batch = 1_000
/** Words of one text: somebody who writes thousands of invented ones does not fill the list. */
const mostOfText = 1_000

const lettersOnly = /^\p{L}[\p{L}\p{M}]+$/u

/** What this process has written of each project, so that it need not be written again: most words of a text are known. */
const written = new Map<string, Set<string>>()
const mostWritten = 300_000

function writtenOf(projectId: string): Set<string> {
  const known = written.get(projectId) ?? new Set()
  if (known.size > mostWritten || written.size > 1_000) {
    written.clear()
    known.clear()
  }
  written.set(projectId, known)
  return known
}

/** New words, each with its stems, and what marks them as known. */
interface Found {
  stems: Map<string, Set<string>>
  marks: Set<string>
}

interface Reading extends Found {
  known: Set<string>
  /** The project's language: of texts of which none is known. */
  usual: string
}

function collect({ stems, marks, known, usual }: Reading, { text, language }: Written): void {
  const stemmed = stemmedLanguage(language ?? usual)
  let left = mostOfText
  for (const { word, kind, start, end } of readTokens(text)) {
    if (kind === 'gram' || left === 0 || !lettersOnly.test(word)) continue
    left--
    const mark = `${kind === 'word' ? stemmed : ''} ${word}`
    if (known.has(mark) || marks.has(mark)) continue
    marks.add(mark)
    const own = stems.get(word) ?? new Set()
    if (stemmed && kind === 'word') own.add(`${stemmed} ${stemOf(text.slice(start, end), stemmed)}`)
    stems.set(word, own)
  }
}

const write = (sql: Sql, projectId: string, { stems }: Found): Promise<void> =>
  insertWords(
    sql,
    projectId,
    [...stems]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([word, own]) => ({
        word,
        keys: [...own, ...remaindersOf(word)].map(key => keyOf(projectId, key)),
      })),
  )

type Row = Place & { fields: never }

async function read(sql: Sql, projectId: string, kind: Gathered<never>, after: Place | null): Promise<Row[]> {
  const at = kind.changedAt(sql)
  const from = after
    ? sql`and (${at}, ${sql(kind.id)}) > (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``
  return sql<Row[]>`
    select ${sql(kind.id)} as id, (${at})::text as at, ${kind.columns(sql)} as fields from ${kind.rows(sql, projectId)} ${from as Fragment}
    order by ${at}, ${sql(kind.id)} limit ${batch}`
}

/** Some records of one kind. */
async function gatherKind(
  sql: Sql,
  projectId: string,
  kind: Gathered<never>,
  progress: Progress,
  reading: Reading,
): Promise<number> {
  const rows = await read(sql, projectId, kind, progress.places[kind.name] ?? null)
  const languages = new Set(progress.languages)
  for (const { fields } of rows)
    for (const text of kind.read(fields)) {
      collect(reading, text)
      const language = stemmedLanguage(text.language)
      if (language) languages.add(language)
    }
  progress.languages = [...languages]
  const last = rows.at(-1)
  if (last) progress.places[kind.name] = { at: last.at, id: last.id }
  return rows.length
}

/** Reads some of what a project has written since the last time. Returns how many records. */
export async function gather(db: Db, projectId: string, kinds: readonly Gathered<never>[]): Promise<number> {
  const known = writtenOf(projectId)
  const done = await db.begin(async tx => {
    const sql = tx as unknown as Sql
    const progress = await lockProgress(sql, projectId)
    if (!progress) return { count: 0, marks: new Set() }
    const until = await newestTime(sql, projectId)
    const reading = { stems: new Map(), marks: new Set<string>(), known, usual: progress.default_locale }
    let count = 0
    for (const kind of kinds) count += await gatherKind(sql, projectId, kind, progress, reading)
    await write(sql, projectId, reading)
    await saveProgress(sql, projectId, progress, count === 0 ? until : null)
    return { count, marks: reading.marks }
  })
  const { count, marks } = done as { count: number; marks: Set<string> }
  for (const mark of marks) known.add(mark)
  return count
}
