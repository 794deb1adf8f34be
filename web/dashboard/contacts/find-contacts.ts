import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import type { NewContactValues } from './new-contact.ts'
import type { Contact } from './queries.ts'
import { contactKeys } from './query-keys.ts'

/** Finds contacts as you type. */

const maxFound = 8
const searchDelayMs = 150

type Search =
  | { q: string }
  | { email: string }
  | { phone: string }
  | { external_id: string }
  | { telegram_id: number }

const foundQuery = (project_id: string, search: Search | null) =>
  queryOptions({
    queryKey: contactKeys.found(project_id, JSON.stringify(search)),
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { ...search, page_size: maxFound, count: false } }
      return (await take(api.GET('/projects/{project_id}/contacts', { params, signal }))).items
    },
    enabled: search !== null,
  })

/** A search for identifiers that the search for words does not find: additional addresses and Telegram account ids. */
function exactSearch(words: string): Search | null {
  if (words.includes('@') && !words.includes(' ')) return { email: words }
  return /^\d{5,15}$/.test(words) ? { telegram_id: Number(words) } : null
}

/** The contacts whose name, address, number or id begins with the typed words, and whether the search has ended. */
export function useFoundContacts(projectId: string, typed: string) {
  const wanted = typed.trim()
  const [words] = useDebouncedValue(wanted, searchDelayMs)
  const named = useQuery({
    ...foundQuery(projectId, words ? { q: words } : null),
    placeholderData: keepPreviousData,
  })
  const exact = useQuery(foundQuery(projectId, exactSearch(words)))
  const found = [...(exactSearch(words) ? (exact.data ?? []) : []), ...(words ? (named.data ?? []) : [])]
  return {
    contacts: [...new Map(found.map(one => [one.id, one])).values()].slice(0, maxFound),
    isSettled: words === wanted && !named.isFetching && !exact.isFetching,
  }
}

type Same = 'email' | 'phone' | 'external_id' | 'full_name'

export interface Duplicate {
  contact: Contact
  /** The field in which the two match. */
  field: Same
}

const fold = (words: string | null): string => (words ?? '').trim().toLocaleLowerCase()

/** Existing contacts with the same address, number, id or name. */
export function useDuplicates(projectId: string, values: NewContactValues): Duplicate[] {
  const [{ email, phone, external_id, full_name }] = useDebouncedValue(values, searchDelayMs)
  const find = (value: string, search: Search) => foundQuery(projectId, value.trim() ? search : null)
  const byEmail = useQuery(find(email.includes('@') ? email : '', { email: email.trim() }))
  const byPhone = useQuery(find(phone.length > 4 ? phone : '', { phone: phone.trim() }))
  const byId = useQuery(find(external_id, { external_id: external_id.trim() }))
  const byName = useQuery(find(full_name, { q: full_name.trim() }))
  const same = (field: Same, found: Contact[] = [], isWanted: boolean): Duplicate[] =>
    isWanted ? found.map(contact => ({ contact, field })) : []
  const namesakes = byName.data?.filter(one => fold(one.full_name) === fold(full_name))
  const all = [
    ...same('email', byEmail.data, email.includes('@')),
    ...same('phone', byPhone.data, phone.length > 4),
    ...same('external_id', byId.data, external_id.trim() !== ''),
    ...same('full_name', namesakes, full_name.trim() !== ''),
  ]
  return [...new Map(all.reverse().map(one => [one.contact.id, one])).values()].reverse().slice(0, 3)
}
