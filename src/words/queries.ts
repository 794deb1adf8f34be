import type { Fragment, Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'

/** A word of a search, with its number in the search. */
export interface WordQuery {
  n: number
  word: string
  /** Keys of its stems. */
  stems: number[]
  /** Keys of words with a similar spelling. */
  remainders: number[]
  /** Whether words with a similar spelling match even if the project has written the word itself. */
  isCorrected: boolean
  /** Whether words that begin with it match too, and whether they are listed. */
  isBeginning: boolean
  isListed: boolean
}

export interface FoundWord {
  n: number
  kind: 'form' | 'beginning' | 'near'
  word: string
}

/** If there are more beginnings than this, the index of the records searches by prefix. */
export const maxBeginnings = 40
const maxForms = 40
/** The nearest of these are used. Words of about the same length come first. */
const maxNearWords = 400

/** A bound after every word with this beginning, in byte order. */
const after = (sql: Sql, word: string): Fragment => sql`(${word} || ${'\u{10ffff}'})`

const begins = (sql: Sql, projectId: string, word: string): Fragment =>
  sql`select word from words where project_id = ${projectId} and word >= ${word} and word < ${after(sql, word)}`

/** Words with the same stem, in the languages in which the word has been written, or in any if it has not. */
const formsOf = (sql: Sql, projectId: string, { n, word, stems }: WordQuery): Fragment =>
  sql`(select ${n}::int as n, 'form' as kind, word from words
    where project_id = ${projectId} and keys && coalesce((
      select array(select unnest(w.keys) intersect select unnest(${stems}::bigint[])) from words w
      where w.project_id = ${projectId} and w.word = ${word}), ${stems}::bigint[])
    limit ${maxForms})`

const beginningsOf = (sql: Sql, projectId: string, { n, word }: WordQuery): Fragment =>
  sql`(select ${n}::int as n, 'beginning' as kind, word from (${begins(sql, projectId, word)}
    order by word limit ${maxBeginnings + 1}) b)`

const isWritten = (sql: Sql, projectId: string, { word, isBeginning }: WordQuery): Fragment =>
  isBeginning
    ? begins(sql, projectId, word)
    : sql`select from words where project_id = ${projectId} and word = ${word}`

const nearTo = (sql: Sql, projectId: string, wanted: WordQuery): Fragment =>
  sql`(select ${wanted.n}::int as n, 'near' as kind, word from words
    where project_id = ${projectId} and keys && ${wanted.remainders}::bigint[]
      and (${wanted.isCorrected} or not exists (${isWritten(sql, projectId, wanted)}))
    order by abs(length(word) - ${wanted.word.length}), word limit ${maxNearWords})`

/** The project's words that match those of a search. */
export async function findWords(
  sql: Sql,
  projectId: string,
  wanted: readonly WordQuery[],
): Promise<FoundWord[]> {
  const parts = wanted.flatMap(one => [
    ...(one.stems.length ? [formsOf(sql, projectId, one)] : []),
    ...(one.isListed ? [beginningsOf(sql, projectId, one)] : []),
    ...(one.remainders.length ? [nearTo(sql, projectId, one)] : []),
  ])
  if (parts.length === 0) return []
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`)
  return sql<FoundWord[]>`${all}`
}

export interface ProjectWords {
  /** The languages of the project's records, as far as they are known. */
  languages: string[]
  /** Whether all its records have been read at least once. */
  isRead: boolean
}

export async function findProjectWords(sql: Sql, projectId: string): Promise<ProjectWords> {
  const [row] = await sql<ProjectWords[]>`
    select coalesce(r.languages, '{}') || p.default_locale as languages, r.read_until is not null as "isRead"
    from projects p left join words_read r on r.project_id = p.id where p.id = ${projectId}`
  return row ?? { languages: [], isRead: false }
}

export interface ReadPosition {
  at: string
  id: string
}

/** How far a project's records have been read. */
export interface Progress {
  places: Record<string, ReadPosition>
  languages: string[]
  /** Words that the project has. */
  word_count: number
  default_locale: string
  /** Changes when words are deleted. */
  generation: number
}

/** Null if the project does not exist. */
export async function getProgress(sql: Sql, projectId: string): Promise<Progress | null> {
  await sql`
    insert into words_read (project_id) select ${projectId} from projects where id = ${projectId} on conflict do nothing`
  const [row] = await sql<Progress[]>`
    select r.places, r.languages, r.word_count, r.generation, p.default_locale from words_read r join projects p on p.id = r.project_id
    where r.project_id = ${projectId}`
  return row ?? null
}

/** `added` is the number of new words. Returns false if words have been deleted since the progress was read. */
export async function updateProgress(
  sql: Sql,
  projectId: string,
  { places, languages, generation }: Progress,
  added: number,
  until: string | null,
): Promise<boolean> {
  const { count } = await sql`
  update words_read set places = ${places}, languages = ${languages}::text[], word_count = word_count + ${added},
    read_until = coalesce(${until}::timestamptz, read_until)
  where project_id = ${projectId} and generation = ${generation}`
  return count > 0
}

/** Adds to what is known, without a change of the progress. */
export const updateGathered = (sql: Sql, projectId: string, languages: string[], added: number) => sql`
  update words_read set word_count = word_count + ${added},
    languages = array(select distinct unnest(languages || ${languages}::text[]))
  where project_id = ${projectId} and (${added}::int > 0 or not languages @> ${languages}::text[])`

/** The time of the newest change of `c`, a row of project_counters. */
const newest = (sql: Sql, project: Fragment): Fragment =>
  sql`greatest(c.event_at, (select e.created_at from events e where e.project_id = ${project} order by e.seq desc limit 1))`

/** Later changes become visible with a later time. */
export async function findNewestTime(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ at: string }[]>`
    select (${newest(sql, sql`${projectId}`)})::text as at from project_counters c where c.project_id = ${projectId}`
  return row!.at
}

/** Projects with records whose words have not been read. */
export const unreadProjects: WaitingWork = sql =>
  sql`select c.project_id, now() as due_at from project_counters c
    left join words_read r on r.project_id = c.project_id
    where ${newest(sql, sql`c.project_id`)} > coalesce(r.read_until, '-infinity')`

export interface NewWord {
  word: string
  keys: number[]
}

/**
 * In the order of the words, so that two processes do not deadlock. Returns the number of new words. With a generation, inserts nothing if
 * words have been deleted since, because the text with these words may be gone.
 */
export async function insertWords(
  sql: Sql,
  projectId: string,
  words: readonly NewWord[],
  generation: number | null,
): Promise<number> {
  const rows = await sql<{ is_new: boolean }[]>`
    with current as (
      select from words_read
      where project_id = ${projectId} and generation = ${generation}::int for share
    )
    insert into words as w (project_id, word, keys)
    select ${projectId}, x.word, x.keys::bigint[] from unnest(
      ${words.map(({ word }) => word)}::text[], ${words.map(({ keys }) => `{${keys.join()}}`)}::text[]) as x (word, keys)
    where ${generation}::int is null or exists (select from current)
    on conflict (project_id, word) do update
      set keys = array(select distinct unnest(w.keys || excluded.keys)) where not w.keys @> excluded.keys
    returning xmax = 0 as is_new`
  return rows.filter(({ is_new }) => is_new).length
}
