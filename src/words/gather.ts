import type { Db, Sql } from '../core/db/db.ts'
import { keyOf, remaindersOf } from '../core/words/spelling.ts'
import { stemmedLanguage, stemOf } from '../core/words/stem.ts'
import { readTokens } from '../core/words/tokens.ts'
import {
  findNewestTime,
  getProgress,
  insertWords,
  type NewWord,
  type Progress,
  type ReadPosition,
  updateGathered,
  updateProgress,
} from './queries.ts'
import type { Gathered, Written } from './source.ts'
import { createTurns } from './turns.ts'

/** Gathers the words that a project has written, by which words with another ending or a typing error are found. */

/** Records of one kind that are read at once, and new words per statement. */
const [batchSize, wordsPerInsert] = [200, 2_000]
/**
 * The maximum numbers of words that are read in a text, of new words in a text, and of words of a project, so that invented words
 * cannot fill the disk.
 */
const maxWords = { perText: 1_000, newPerText: 400, perProject: 1_000_000 }

const lettersOnly = /^\p{L}[\p{L}\p{M}]+$/u

/**
 * The words that this process has written for each project. They need not be written again, and most words of a text are among
 * them.
 */
const written = new Map<string, Set<string>>()
/** For all projects together. */
const maxCachedWords = 500_000
let writtenCount = 0

/** A project and the generation of its words. */
type Owner = string

const ownerOf = (projectId: string, { generation }: Progress): Owner => `${projectId} ${generation}`

function writtenOf(owner: Owner): Set<string> {
  const known = written.get(owner) ?? new Set()
  written.set(owner, known)
  return known
}

function noteWritten(owner: Owner, marks: Set<string>): void {
  if (writtenCount + marks.size > maxCachedWords) {
    written.clear()
    writtenCount = 0
  }
  const known = writtenOf(owner)
  const before = known.size
  for (const mark of marks) known.add(mark)
  writtenCount += known.size - before
}

/** New words with their stems, and the marks by which they are remembered. */
interface Found {
  stems: Map<string, Set<string>>
  marks: Set<string>
}

interface Reading extends Found {
  known: Set<string>
  /** The project's language, for texts whose language is not known. */
  usual: string
}

function collect({ stems, marks, known, usual }: Reading, { text, language }: Written): void {
  const stemmed = stemmedLanguage(language ?? usual)
  let [left, fresh] = [maxWords.perText, maxWords.newPerText]
  for (const { word, kind, start, end } of readTokens(text)) {
    if (left === 0 || fresh === 0) break
    if (kind === 'gram' || !lettersOnly.test(word)) continue
    left--
    const mark = `${kind === 'word' ? stemmed : ''} ${word}`
    if (known.has(mark) || marks.has(mark)) continue
    fresh--
    marks.add(mark)
    const own = stems.get(word) ?? new Set()
    if (stemmed && kind === 'word') own.add(`${stemmed} ${stemOf(text.slice(start, end), stemmed)}`)
    stems.set(word, own)
  }
}

/** Returns how many words are new to the project. */
async function write(
  sql: Sql,
  projectId: string,
  { stems }: Found,
  generation: number | null,
): Promise<number> {
  const takeTurn = createTurns()
  const words = [...stems].toSorted(([one], [other]) => (one < other ? -1 : 1))
  let count = 0
  for (let from = 0; from < words.length; from += wordsPerInsert) {
    const rows: NewWord[] = []
    for (const [word, own] of words.slice(from, from + wordsPerInsert)) {
      await takeTurn()
      rows.push({ word, keys: [...own, ...remaindersOf(word)].map(key => keyOf(projectId, key)) })
    }
    count += await insertWords(sql, projectId, rows, generation)
  }
  return count
}

type Row = ReadPosition & { fields: never }

async function read(
  sql: Sql,
  projectId: string,
  kind: Gathered<never>,
  after: ReadPosition | null,
): Promise<Row[]> {
  const at = kind.changedAt(sql)
  const from = after
    ? sql`and (${at}, ${sql(kind.id)}) > (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``
  return sql<Row[]>`
    select ${sql(kind.id)} as id, (${at})::text as at, ${kind.columns(sql)} as fields from ${kind.rows(sql, projectId)} ${from}
    order by ${at}, ${sql(kind.id)} fetch first ${batchSize} rows with ties`
}

/** Reads some records of one kind. */
async function gatherKind(
  sql: Sql,
  projectId: string,
  kind: Gathered<never>,
  progress: Progress,
  reading: Reading,
): Promise<number> {
  const rows = await read(sql, projectId, kind, progress.places[kind.name] ?? null)
  const languages = new Set(progress.languages)
  const takeTurn = createTurns()
  for (const { fields } of rows)
    for (const text of kind.read(fields)) {
      await takeTurn()
      if (progress.word_count < maxWords.perProject) collect(reading, text)
      const language = stemmedLanguage(text.language)
      if (language) languages.add(language)
    }
  progress.languages = [...languages]
  const last = rows.at(-1)
  if (last) progress.places[kind.name] = { at: last.at, id: last.id }
  return rows.length
}

/**
 * Reads some of what a project has written since the last time, and returns the number of records. It holds no transaction.
 * Records that are read twice, after an interruption or by two processes, have their words written once.
 */
export async function gather(db: Db, projectId: string, kinds: readonly Gathered<never>[]): Promise<number> {
  const progress = await getProgress(db, projectId)
  if (!progress) return 0
  const until = await findNewestTime(db, projectId)
  const owner = ownerOf(projectId, progress)
  const known = writtenOf(owner)
  const reading = { stems: new Map(), marks: new Set<string>(), known, usual: progress.default_locale }
  let count = 0
  for (const kind of kinds) count += await gatherKind(db, projectId, kind, progress, reading)
  const added = await write(db, projectId, reading, progress.generation)
  if (!(await updateProgress(db, projectId, progress, added, count === 0 ? until : null))) return 1
  noteWritten(owner, reading.marks)
  return count
}

/**
 * Gathers the words of texts that are about to be written with an earlier time than that of their writing, which `gather` would not
 * read. Words of texts that are not written in the end do no harm.
 */
export async function gatherTexts(sql: Sql, projectId: string, texts: readonly Written[]): Promise<void> {
  const progress = await getProgress(sql, projectId)
  if (!progress) return
  const owner = ownerOf(projectId, progress)
  const reading = {
    stems: new Map(),
    marks: new Set<string>(),
    known: writtenOf(owner),
    usual: progress.default_locale,
  }
  const takeTurn = createTurns()
  for (const text of texts) {
    await takeTurn()
    if (progress.word_count < maxWords.perProject) collect(reading, text)
  }
  const languages = texts.flatMap(({ language }) => stemmedLanguage(language) ?? [])
  const added = await write(sql, projectId, reading, null)
  await updateGathered(sql, projectId, [...new Set(languages)], added)
  noteWritten(owner, reading.marks)
}
