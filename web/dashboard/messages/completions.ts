import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { text } from '../core/text.ts'
import { articlesQuery } from '../knowledge/article-search.ts'
import { peopleQuery } from '../operators/queries.ts'
import { type EditorRef, holdWord, type Word } from '../rich-text/editor-handle.ts'
import { cannedQuery, fillCanned, type ListedCannedAnswer } from './canned.ts'
import { type DraftPlace, draftOf, writeDraft } from './draft.ts'
import { messageKeys } from './query-keys.ts'

/** A completion of the word that is being typed. */
export interface Completion {
  id: string
  label: string
  about: string
  /** Replaces the given number of typed characters. */
  choose(editor: EditorRef, typed: number): unknown
}

const maxCompletions = 8

/** Matches the start of the name or address, or of a later word of the name. */
function fits({ name, email }: { name: string; email: string }, typed: string): boolean {
  const begins = (words: string) => words.toLocaleLowerCase().startsWith(typed.toLocaleLowerCase())
  return begins(name) || begins(email) || name.split(/\s+/).some(begins)
}

/** The characters that start a completion: `/` for canned replies and articles, `:` for emojis, and in notes `@` for people. */
export const signsOf = ({ isInternal }: DraftPlace): string => (isInternal ? '@/:' : '/:')

export function useCompletions(place: DraftPlace, typed: Word | null): Completion[] {
  const people = usePeople(place, typed)
  const canned = useCanned(place, typed)
  const articles = useArticles(place, typed)
  const emojis = useEmojis(typed)
  if (typed?.sign === '@') return people
  if (typed?.sign === ':') return emojis
  return typed ? [...canned, ...articles].slice(0, maxCompletions) : []
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
      choose(editor, length) {
        const { mentions } = draftOf(place).get()
        writeDraft(place, { mentions: [...mentions, { id, name }] })
        holdWord(editor, length)(`@${name} `)
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
  // Articles need room too.
  return named.slice(0, word ? maxCompletions - 3 : maxCompletions).map(({ id, title, shortcut }) => ({
    id,
    label: title,
    about: `/${shortcut}`,
    async choose(editor, length) {
      const replace = holdWord(editor, length)
      const content = await fillCanned(place, id)
      if (content !== null) replace(content)
    },
  }))
}

const escapeTitle = (title: string): string => title.replaceAll(/[\\`*_[\]<>]/g, '\\$&')

/** Articles of the help centre, which are inserted as links. */
function useArticles(place: DraftPlace, typed: Word | null): Completion[] {
  const word = typed?.sign === '/' ? typed.word.trim() : ''
  const { data = [] } = useQuery({ ...articlesQuery(place.projectId, word), enabled: word.length > 1 })
  return data.flatMap(({ id, title, url }) =>
    url
      ? {
          id,
          label: title,
          about: text.composer.article,
          choose: (editor, length) => holdWord(editor, length)(`[${escapeTitle(title)}](${url}) `),
        }
      : [],
  )
}

function useEmojis(typed: Word | null): Completion[] {
  const word = typed?.sign === ':' && /^[a-z0-9_+-]{2,}$/i.test(typed.word) ? typed.word : ''
  const { data = [] } = useQuery({
    queryKey: messageKeys.emojis(word),
    queryFn: async () => (await import('./emojis.ts')).findEmojis(word, maxCompletions),
    enabled: word !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  if (word === '') return []
  return data.map(({ emoji, name }) => ({
    id: name,
    label: `${emoji} :${name}:`,
    about: '',
    choose: (editor, length) => holdWord(editor, length)(emoji),
  }))
}
