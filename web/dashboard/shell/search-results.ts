import { BookOpenIcon, MagnifyingGlassIcon, TicketIcon, UserIcon } from '@heroicons/react/20/solid'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import { contactNameOf } from '../tickets/names.ts'
import { cutSnippet } from '../tickets/snippet.ts'
import { useOpenProject } from '../users/open-project.ts'
import { searchKeys } from './query-keys.ts'

export interface FoundItem {
  id: string
  group: string
  label: string
  description: string
  icon: Icon
  run(): unknown
}

const foundQuery = (project_id: string, q: string) =>
  queryOptions({
    queryKey: searchKeys.found(project_id, q),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/search', { params: { path: { project_id }, query: { q } }, signal }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

/** One letter would find too much. */
const minQueryLength = 2

type Found = Shape<'Found'>
type Go = (path: string) => unknown

/** The number of characters of a message that fit on a line of the command bar. */
const shownLength = 70

function describeTicket(ticket: Found['tickets'][number]): string {
  const snippet = cutSnippet(ticket)
  const found = snippet && `${snippet.from > 0 ? '… ' : ''}${snippet.text.slice(0, shownLength)}`
  return [text.inbox.number(ticket.short_id), contactNameOf(ticket.contact), found]
    .filter(Boolean)
    .join(' · ')
}

const toItems = ({ tickets, contacts, articles }: Found, go: Go): FoundItem[] => [
  ...tickets.map(one => ({
    id: one.id,
    group: text.inbox.tickets,
    label: one.subject ?? text.inbox.noSubject,
    description: describeTicket(one),
    icon: TicketIcon,
    run: () => go(`inbox/open/${one.short_id}`),
  })),
  ...contacts.map(one => ({
    id: one.id,
    group: text.contacts.title,
    label: contactNameOf(one),
    description: one.email ?? one.phone ?? '',
    icon: UserIcon,
    run: () => go(`contacts/${one.id}`),
  })),
  ...articles.map(one => ({
    id: `${one.id} ${one.locale}`,
    group: text.shell.articles,
    label: one.title,
    description: one.excerpt,
    icon: BookOpenIcon,
    run: () => one.path && window.open(one.path, '_blank', 'noopener'),
  })),
]

/** Tickets, contacts and articles that match the typed text. Stale results match an earlier text. */
export function useSearchResults(words: string): { items: FoundItem[]; isStale: boolean } {
  const projectId = useOpenProject()?.project.id ?? ''
  const navigate = useNavigate()
  const [searched] = useDebouncedValue(words.trim(), 150)
  const isWanted = projectId !== '' && searched.length >= minQueryLength
  const { data, isPlaceholderData } = useQuery({ ...foundQuery(projectId, searched), enabled: isWanted })
  const go = (path: string) => navigate({ to: `/p/${projectId}/${path}` })
  const inAll = {
    id: 'search all',
    group: text.inbox.tickets,
    label: text.inbox.searchAll,
    description: `“${searched}”`,
    icon: MagnifyingGlassIcon,
    run: () => navigate({ to: `/p/${projectId}/inbox/all`, search: { q: searched } }),
  }
  const items = isWanted && data && words.trim() ? [...toItems(data, go), inAll] : []
  return { items, isStale: isPlaceholderData || searched !== words.trim() }
}
