import { askedPhones, phoneQuestions } from '../core/words/phones.ts'
import { readTokens, type Token } from '../core/words/tokens.ts'
import type { Place } from './places.ts'

/** A parsed search: the groups that must match a text, and how they are printed for Postgres. */

/** A word, or a phrase in quotation marks. */
export interface Asked {
  text: string
  isPhrase: boolean
}

/** Matches any of these words, and all words with these beginnings. */
export interface Term {
  words: string[]
  beginnings: string[]
}

/** Matches all of these phrases, or instead any of these lexemes: those of a phone number, or of words written as one. */
export interface Group {
  all: Term[][]
  instead: string[]
}

export const exactly = ({ word }: Token): Term => ({ words: [word], beginnings: [] })
export const beginningWith = ({ word }: Token): Term => ({ words: [], beginnings: [word] })

const quote = (lexeme: string): string => `'${lexeme}'`
const anyOf = (options: string[]): string => (options.length === 1 ? options[0]! : `(${options.join('|')})`)

const printTerm = ({ words, beginnings }: Term): string =>
  anyOf([...new Set(words)].map(quote).concat(beginnings.map(word => `${quote(word)}:*`)))

const printPhrase = (phrase: Term[]): string => phrase.map(printTerm).join('<->')

const printGroup = ({ all, instead }: Group): string => {
  const words = all.map(printPhrase).join('&')
  return instead.length ? `((${words})|${instead.map(quote).join('|')})` : `(${words})`
}

/** The `tsquery` of all groups, or of any of them. A search without words finds nothing. */
export const printQuestion = (groups: Group[], join: '&' | '|' = '&'): string =>
  groups.map(printGroup).join(join)

/** Whether the search includes more than the words that were typed. */
export const isWide = (groups: Group[]): boolean =>
  groups.some(({ all }) =>
    all.some(phrase =>
      phrase.some(({ words, beginnings }) => beginnings.length > 0 || new Set(words).size > 1),
    ),
  )

/** The words of a piece to search. In text without spaces, the last character is already in the pair before it. */
export function askedTokens(text: string): Token[] {
  const tokens = readTokens(text).filter(({ kind }) => kind === 'word' || kind === 'gram')
  const [before, last] = tokens.slice(-2)
  const isInPair = last?.kind === 'gram' && before!.kind === 'gram' && before!.end === last.end
  return isInPair ? tokens.slice(0, -1) : tokens
}

/** The words of a piece as one, if punctuation joins them: `email` for `e-mail`. */
export const joinedWords = (text: string): string[] => {
  const asked = askedTokens(text)
  const isWhole = ({ kind, start, end }: Token) =>
    kind === 'joined' && start === asked[0]!.start && end === asked.at(-1)!.end
  return readTokens(text)
    .filter(isWhole)
    .map(({ word }) => word)
}

/** Whether it is a single character of text without spaces, which is the beginning of a pair. */
export const isSingle = ({ kind, word }: Token): boolean => kind === 'gram' && /^.\p{M}*$/su.test(word)

interface Read extends Place {
  group: Group
}

/** Joins groups that are the digits of one phone number. */
export function joinNumbers(text: string, read: Read[]): Group[] {
  const groups: Group[] = []
  const phones = askedPhones(text)
  for (const { start, end, group } of read) {
    const phone = phones.find(one => start >= one.start - 1 && end <= one.end + 1)
    if (!phone) groups.push(group)
    else if (groups.at(-1)?.instead.includes(`~${phone.digits.replace(/^0+/, '')}`))
      groups.at(-1)!.all.push(...group.all)
    else groups.push({ all: group.all, instead: [...group.instead, ...phoneQuestions(phone.digits)] })
  }
  return groups
}
