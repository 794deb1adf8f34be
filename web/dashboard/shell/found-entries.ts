import {
  BookOpenIcon,
  BuildingOffice2Icon,
  MagnifyingGlassIcon,
  TicketIcon,
  UserIcon,
} from '@heroicons/react/20/solid'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { commandText } from '../core/command-text.ts'
import { isolate } from '../core/isolate.tsx'
import { text } from '../core/text.ts'
import { contactNameOf } from '../tickets/names.ts'
import { cutSnippet } from '../tickets/snippet.ts'
import type { Entry } from './entries.ts'
import { searchKeys } from './query-keys.ts'

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
type Contact = Found['contacts'][number]

/** Opens a path below the project. */
export type GoTo = (path: string, search?: { q?: string; operator?: string; contact?: string }) => unknown

/** The number of characters of a message that fit on a line of the command bar. */
const shownLength = 70

function describeTicket(ticket: Found['tickets'][number]): string {
  const snippet = cutSnippet(ticket)
  const found = snippet && `${snippet.from > 0 ? '… ' : ''}${snippet.text.slice(0, shownLength)}`
  const said = [contactNameOf(ticket.contact), found].flatMap(part => part || [])
  return [text.inbox.number(ticket.short_id), ...said.map(isolate)].join(' · ')
}

const ticketEntries = ({ tickets }: Found, go: GoTo): Entry[] =>
  tickets.map(one => ({
    id: `inbox/open/${one.short_id}`,
    group: text.inbox.tickets,
    label: one.subject ?? text.inbox.noSubject,
    about: describeTicket(one),
    icon: TicketIcon,
    run: () => go(`inbox/open/${one.short_id}`),
  }))

/** The profile, and the tickets. */
function contactEntries(contact: Contact, go: GoTo): Entry[] {
  const name = contactNameOf(contact)
  const base = { group: text.contacts.title, about: contact.email ?? contact.phone ?? '' }
  const path = `contacts/${contact.id}`
  return [
    { id: path, ...base, label: name, icon: UserIcon, run: () => go(path) },
    {
      id: `tickets of ${contact.id}`,
      ...{ ...base, label: commandText.ticketsOf(name), icon: TicketIcon },
      run: () => go('inbox/all', { contact: contact.id }),
    },
  ]
}

const organizationEntries = ({ organizations }: Found, go: GoTo): Entry[] =>
  organizations.map(one => ({
    id: `organizations/${one.id}`,
    group: text.shell.organizations,
    label: one.name,
    about: one.domains.join(', '),
    icon: BuildingOffice2Icon,
    run: () => go(`organizations/${one.id}`),
  }))

/** An article opens in the help centre; one that is not there, in its editor. */
const articleEntries = ({ articles }: Found, go: GoTo): Entry[] =>
  articles.map(one => ({
    id: `${one.id} ${one.locale}`,
    group: text.shell.articles,
    label: one.title,
    about: one.excerpt,
    icon: BookOpenIcon,
    run: () => (one.path ? window.open(one.path, '_blank', 'noopener') : go(`settings/knowledge/${one.id}`)),
  }))

const searchAllEntry = (q: string, go: GoTo): Entry => ({
  id: 'search all',
  group: commandText.search,
  label: text.inbox.searchAll,
  about: `“${q}”`,
  icon: MagnifyingGlassIcon,
  run: () => go('inbox/all', { q }),
})

const listFound = (found: Found, q: string, go: GoTo): Entry[] => [
  ...ticketEntries(found, go),
  ...found.contacts.flatMap(contact => contactEntries(contact, go)),
  ...organizationEntries(found, go),
  ...articleEntries(found, go),
  searchAllEntry(q, go),
]

export function useGoTo(projectId: string): GoTo {
  const navigate = useNavigate()
  return (path, search) => navigate({ to: `/p/${projectId}/${path}`, search })
}

/** What the server finds. Before it has answered for these words, the results for earlier ones. */
export function useFoundEntries(projectId: string, words: string): { entries: Entry[]; isSettled: boolean } {
  const typed = words.trim()
  const [searched] = useDebouncedValue(typed, 120)
  const isWanted = projectId !== '' && searched.length >= minQueryLength
  const query = useQuery({ ...foundQuery(projectId, searched), enabled: isWanted })
  const go = useGoTo(projectId)
  const isAnswered = !isWanted || (!query.isPlaceholderData && !query.isPending)
  const entries = isWanted && query.data && typed ? listFound(query.data, searched, go) : []
  return { entries, isSettled: isAnswered && searched === typed }
}
