import type { Sql } from '../core/db/db.ts'
import { distance, forgiven, keyOf, wantedRemainders } from '../core/words/spelling.ts'
import { stemmedLanguage, stemOf } from '../core/words/stem.ts'
import type { Token } from '../core/words/tokens.ts'
import { stemLexeme } from '../core/words/vector.ts'
import { knownOf } from './known.ts'
import { type FoundWord, findWords, maxBeginnings, type WordQuery } from './queries.ts'
import {
  type Asked,
  askedTokens,
  beginningWith,
  exactly,
  type Group,
  isSingle,
  joinedWords,
  joinNumbers,
  type Term,
} from './question.ts'

/** How the words of a search are interpreted. */
export interface AskOptions {
  /** Which words may be the beginnings of longer ones. */
  beginnings: 'last' | 'all'
  /** The language of the stems in the index. Without it, words of the project that have the same stem are searched. */
  locale?: string
  /** Which words may be replaced by words with a similar spelling. By default, those that the project has never written. */
  corrected?: 'none' | 'all'
  /** Only the words as they are written. For words that must not be found. */
  isExact?: boolean
}

const lettersOnly = /^\p{L}[\p{L}\p{M}]*$/u
/** The number of words in a search that may match other words. */
const maxWideWords = 10

/** A single word that may match other words. */
interface Wide {
  token: Token
  /** The word as it was typed. */
  typed: string
  isBeginning: boolean
}

/** Too many words begin with a single letter. */
const mayBegin = ({ word }: Token): boolean => word.length > 1

function readWide(asked: Asked, options: AskOptions, isLast: boolean): Wide | null {
  if (asked.isPhrase || options.isExact) return null
  const tokens = askedTokens(asked.text)
  const [token] = tokens
  if (tokens.length !== 1 || token!.kind !== 'word' || !lettersOnly.test(token!.word)) return null
  const typed = asked.text.slice(token!.start, token!.end)
  return { token: token!, typed, isBeginning: options.beginnings === 'last' && isLast && mayBegin(token!) }
}

const toWanted =
  (projectId: string, languages: string[], options: AskOptions) =>
  (wide: Wide, n: number): WordQuery => ({
    n,
    word: wide.token.word,
    stems:
      options.locale === undefined && options.beginnings === 'last'
        ? languages.map(language => keyOf(projectId, `${language} ${stemOf(wide.typed, language)}`))
        : [],
    remainders:
      options.corrected === 'none'
        ? []
        : wantedRemainders(wide.token.word).map(rest => keyOf(projectId, rest)),
    isCorrected: options.corrected === 'all',
    isBeginning: wide.isBeginning || options.beginnings === 'all',
    // An index of few records is searched directly, which also finds words that were written just now.
    isListed: wide.isBeginning && options.locale === undefined,
  })

/** More would make the search too vague. */
const maxNearest = 20

/** The candidates with the fewest typing errors. */
function nearest(word: string, candidates: string[]): string[] {
  const others = candidates.filter(candidate => candidate !== word)
  const measured = others.map(candidate => ({ candidate, errors: distance(word, candidate) }))
  const least = Math.min(...measured.map(({ errors }) => errors))
  return least > forgiven(word)
    ? []
    : measured
        .filter(({ errors }) => errors === least)
        .slice(0, maxNearest)
        .map(one => one.candidate)
}

/** A few words with this beginning are listed. If there are many, the index searches by prefix. */
function widen({ token, isBeginning }: Wide, found: FoundWord[]): Term {
  const of = (kind: FoundWord['kind']) => found.filter(one => one.kind === kind).map(({ word }) => word)
  const [forms, beginnings, near] = [of('form'), of('beginning'), nearest(token.word, of('near'))]
  const isListed = beginnings.length > 0 && beginnings.length <= maxBeginnings
  return {
    words: [token.word, ...forms, ...near, ...(isListed ? beginnings : [])],
    beginnings: isBeginning && !isListed ? [token.word] : [],
  }
}

function narrow(token: Token, isBeginning: boolean): Term {
  if (isSingle(token)) return beginningWith(token)
  return isBeginning && token.kind === 'word' && mayBegin(token) ? beginningWith(token) : exactly(token)
}

const stemmed = (term: Term, typed: string, locale: string | undefined): Term => {
  const language = stemmedLanguage(locale ?? null)
  return language ? { ...term, words: [...term.words, stemLexeme(typed, language)] } : term
}

/** The digits of a phone number, which may have other digits before and after them. */
const phoneBeginning = (word: string): string[] =>
  /^0*[1-9][0-9]{3,}$/.test(word) ? [`~${word.replace(/^0+/, '')}`] : []

/** Each word is the beginning of a word. Digits may also be in the middle of a phone number. */
function asBeginnings(tokens: Token[], near: string[]): Group {
  const terms = tokens.map(token => ({
    words: token.kind === 'gram' && !isSingle(token) ? [token.word] : near,
    beginnings: token.kind === 'gram' && !isSingle(token) ? [] : [token.word, ...phoneBeginning(token.word)],
  }))
  return { all: terms.map(term => [term]), instead: [] }
}

function toGroup(
  asked: Asked,
  options: AskOptions,
  isLast: boolean,
  wide: Wide | null,
  found: FoundWord[],
): Group {
  const tokens = askedTokens(asked.text)
  if (options.beginnings === 'all' && !asked.isPhrase)
    return asBeginnings(tokens, wide ? widen({ ...wide, isBeginning: false }, found).words : [])
  if (wide) return { all: [[stemmed(widen(wide, found), wide.typed, options.locale)]], instead: [] }
  const phrase = tokens.map((token, at) =>
    narrow(token, isLast && !asked.isPhrase && !options.isExact && at === tokens.length - 1),
  )
  return { all: [phrase], instead: asked.isPhrase ? [] : joinedWords(asked.text) }
}

/**
 * The project's words that the search may mean. None until the project's words are known: then the search means only what is
 * written in it, and its last word is a beginning.
 */
async function findMeant(
  sql: Sql,
  projectId: string,
  wide: (Wide | null)[],
  options: AskOptions,
): Promise<FoundWord[]> {
  if (!wide.some(one => one !== null)) return []
  const { languages, isRead } = await knownOf(sql, projectId)
  if (!isRead) return []
  const toOne = toWanted(projectId, languages, options)
  return findWords(
    sql,
    projectId,
    wide.flatMap((one, n) => (one ? [toOne(one, n)] : [])),
  )
}

/** The words of a text one after the other, exactly as they are written. */
export const askExactly = (text: string): Group =>
  toGroup({ text, isPhrase: false }, { beginnings: 'last', isExact: true }, false, null, [])

/** Interprets a search by the words of a project. Returns one group for each piece that has words. */
export async function ask(
  sql: Sql,
  projectId: string,
  pieces: Asked[],
  options: AskOptions,
): Promise<Group[]> {
  const asked = pieces.filter(({ text }) => askedTokens(text).length > 0)
  const wide = asked.map((piece, n) =>
    n < maxWideWords ? readWide(piece, options, n === asked.length - 1) : null,
  )
  const found = await findMeant(sql, projectId, wide, options)
  let text = ''
  const read = asked.map((piece, n) => {
    const start = text.length
    text += `${piece.isPhrase ? `"${piece.text}"` : piece.text} `
    const own = found.filter(one => one.n === n)
    return {
      start,
      end: text.length - 1,
      group: toGroup(piece, options, n === asked.length - 1, wide[n]!, own),
    }
  })
  return options.isExact ? read.map(({ group }) => group) : joinNumbers(text, read)
}
