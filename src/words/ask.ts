import type { Sql } from '../core/db.ts'
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

/** How a question is understood. */
export interface AskOptions {
  /** Which words may be the beginnings of longer ones. */
  beginnings: 'last' | 'all'
  /** The index has stems of this language; without it the project's words are asked for those that share a stem. */
  locale?: string
  /** Which words may be meant as others that are spelled nearly alike; without it those that the project has never written. */
  corrected?: 'none' | 'all'
  /** Words as they are written, and nothing else: for what must not be found. */
  isExact?: boolean
}

const lettersOnly = /^\p{L}[\p{L}\p{M}]*$/u
/** Words of a question that are understood more widely than they are written. */
const maxWideWords = 10

/** A word that stands alone, and where. */
interface Wide {
  token: Token
  /** As it was typed. */
  typed: string
  isBeginning: boolean
}

/** Of one letter too much begins. */
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
    // An index of few records is asked itself, which also knows what has just been written.
    isListed: wide.isBeginning && options.locale === undefined,
  })

/** More would be no question any more. */
const maxNearest = 20

/** The nearest of them. */
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

/** Few beginnings are words like others; many are left to the index. */
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

/** Digits of a telephone number, which a contact has with other digits before and after them. */
const phoneBeginning = (word: string): string[] =>
  /^0*[1-9][0-9]{3,}$/.test(word) ? [`~${word.replace(/^0+/, '')}`] : []

/** Every word is the beginning of a word; the digits of one also those of a telephone number, from some digit on. */
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

/** Until a project's words are known, a question means what is written in it, and the last word a beginning. */
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

/** Understands a question among the words of a project: one group for each piece that has words. */
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
