import { useQuery } from '@tanstack/react-query'
import { peopleQuery } from '../operators/queries.ts'
import { cannedQuery, fillCanned, type ListedCannedAnswer } from './canned.ts'
import { type DraftPlace, draftOf, writeDraft } from './draft.ts'
import { replaceText, replaceWord, type Word } from './typing.ts'

/** A completion of the word that is being typed. */
export interface Completion {
  id: string
  label: string
  about: string
  /** Replaces the given number of typed characters. */
  choose(field: HTMLTextAreaElement, typed: number): unknown
}

const maxCompletions = 8

/** Matches the start of the name or address, or of a later word of the name. */
function fits({ name, email }: { name: string; email: string }, typed: string): boolean {
  const begins = (words: string) => words.toLocaleLowerCase().startsWith(typed.toLocaleLowerCase())
  return begins(name) || begins(email) || name.split(/\s+/).some(begins)
}

/** The characters that start a completion: `/` for canned answers, and in notes `@` for people. */
export const signsOf = ({ isInternal }: DraftPlace): string => (isInternal ? '@/' : '/')

export function useCompletions(place: DraftPlace, typed: Word | null): Completion[] {
  const people = usePeople(place, typed)
  const canned = useCanned(place, typed)
  return typed?.sign === '@' ? people : typed?.sign === '/' ? canned : []
}

function usePeople(place: DraftPlace, typed: Word | null): Completion[] {
  const { data: people = [] } = useQuery({ ...peopleQuery(place.projectId), enabled: typed?.sign === '@' })
  return people
    .filter(one => fits(one, typed?.word ?? ''))
    .slice(0, maxCompletions)
    .map(({ id, name, email }) => ({
      id,
      label: name,
      about: email,
      choose(field, length) {
        const { mentions } = draftOf(place).get()
        writeDraft(place, { mentions: [...mentions, { id, name }] })
        replaceText(field, `@${name} `, length)
      },
    }))
}

/**
 * Until the server has responded, the results for fewer letters are shown, reduced to those that match the
 * latest letters.
 */
function isNamed({ shortcut, title }: ListedCannedAnswer, typed: string): boolean {
  const word = typed.toLocaleLowerCase()
  return shortcut.toLocaleLowerCase().startsWith(word) || title.toLocaleLowerCase().includes(word)
}

function useCanned(place: DraftPlace, typed: Word | null): Completion[] {
  const isWanted = typed?.sign === '/'
  const word = isWanted ? typed.word : ''
  const { data = [], isPlaceholderData } = useQuery({
    ...cannedQuery(place.projectId, word),
    enabled: isWanted,
  })
  const named = isPlaceholderData ? data.filter(one => isNamed(one, word)) : data
  return named.slice(0, maxCompletions).map(({ id, title, shortcut }) => ({
    id,
    label: title,
    about: `/${shortcut}`,
    async choose(field, length) {
      const at = field.selectionStart - length
      const word = field.value.slice(at, at + length)
      const content = await fillCanned(place, id)
      if (content !== null) replaceWord(field, at, word, content)
    },
  }))
}
