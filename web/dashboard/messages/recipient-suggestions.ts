import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { contactsQuery } from '../contacts/queries.ts'

/** A person who can be suggested as a recipient. */
export interface Addressee {
  address: string
  name: string | null
}

const maxSuggestions = 8
const minSearchLength = 2
const searchDelayMs = 150

/** The participants and contacts that match the typed words, and whether the search has ended. */
export function useAddressSuggestions(projectId: string, people: Addressee[], typed: string) {
  const wanted = typed.trim()
  const [words] = useDebouncedValue(wanted, searchDelayMs)
  const isSearched = words.length >= minSearchLength
  const { data, isLoading, isPlaceholderData } = useInfiniteQuery({
    ...contactsQuery(projectId, words),
    enabled: isSearched,
  })
  const contacts = isSearched ? (data?.pages.flatMap(({ items }) => items) ?? []) : []
  const found = contacts.flatMap(({ email, full_name }) =>
    email ? [{ address: email, name: full_name }] : [],
  )
  const fits = ({ address, name }: Addressee) =>
    `${name ?? ''} ${address}`.toLocaleLowerCase().includes(wanted.toLocaleLowerCase())
  const all = wanted ? [...people, ...found].filter(fits) : []
  const unique = new Map(all.map(one => [one.address.toLowerCase(), one]))
  return {
    suggestions: [...unique.values()].slice(0, maxSuggestions),
    isSettled: words === wanted && !isLoading && !isPlaceholderData,
  }
}
