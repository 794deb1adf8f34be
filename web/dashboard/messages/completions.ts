import { useQuery } from '@tanstack/react-query'
import { peopleQuery } from '../operators/queries.ts'
import { type DraftPlace, draftOf, writeDraft } from './draft.ts'
import { replaceText, type Word } from './typing.ts'

/** What a word that is being typed may become. */
export interface Completion {
  id: string
  label: string
  about: string
  /** Puts it in place of the so many characters that were typed. */
  choose(field: HTMLTextAreaElement, typed: number): void
}

const most = 8

const fits = (words: string, typed: string): boolean =>
  words.toLocaleLowerCase().includes(typed.toLocaleLowerCase())

/** The signs that begin one: people are mentioned in notes only. */
export const signsOf = ({ isInternal }: DraftPlace): string => (isInternal ? '@' : '\0')

export function useCompletions(place: DraftPlace, typed: Word | null): Completion[] {
  const { data: people = [] } = useQuery({ ...peopleQuery(place.projectId), enabled: typed?.sign === '@' })
  if (typed?.sign !== '@') return []
  return people
    .filter(one => fits(`${one.name} ${one.email}`, typed.word))
    .slice(0, most)
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
