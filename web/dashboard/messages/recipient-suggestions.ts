import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { messageKeys } from './query-keys.ts'

/** A person who can be suggested as a recipient. */
export interface Addressee {
  address: string
  name: string | null
}

const maxSuggestions = 8
const minSearchLength = 2
const searchDelayMs = 150

const pageSize = 50

/** The contacts that match the words. */
const addresseesQuery = (project_id: string, q: string) =>
  queryOptions({
    queryKey: messageKeys.addressees(project_id, q),
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { q, page_size: pageSize, count: false } }
      return (await take(api.GET('/projects/{project_id}/contacts', { params, signal }))).items
    },
    placeholderData: keepPreviousData,
  })

/** The participants and contacts that match the typed words, and whether the search has ended. */
export function useAddressSuggestions(projectId: string, people: Addressee[], typed: string) {
  const wanted = typed.trim()
  const [words] = useDebouncedValue(wanted, searchDelayMs)
  const isSearched = words.length >= minSearchLength
  const { data, isLoading, isPlaceholderData } = useQuery({
    ...addresseesQuery(projectId, words),
    enabled: isSearched,
  })
  const contacts = isSearched ? (data ?? []) : []
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
