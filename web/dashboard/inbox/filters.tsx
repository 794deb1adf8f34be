import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { text } from '../core/text.ts'
import { peopleQuery } from '../operators/queries.ts'
import { tagsQuery } from '../tags/queries.ts'
import { useInboxPlace } from './inbox.ts'
import { countFilters, priorities, readSearch, sorts, statuses, type TicketSearch } from './search.ts'
import { ViewButtons } from './view-buttons.tsx'

/** The filters of a view, its order, and the view itself. */
export function Filters({ onClose }: { onClose(): void }) {
  const { search, narrow } = useInboxPlace()
  return (
    <>
      <Checkbox
        label={text.inbox.onlyUnread}
        checked={search.unread ?? false}
        onChange={event => narrow({ unread: event.currentTarget.checked || undefined })}
      />
      <Choices />
      {countFilters(search) > 0 && (
        <Button variant="subtle" size="xs" onClick={() => narrow(noFilters)}>
          {text.inbox.clearFilters}
        </Button>
      )}
      <ViewButtons onAsk={onClose} isNarrowed={countFilters(search) > 0 || Boolean(search.q)} />
    </>
  )
}

const noFilters: TicketSearch = {
  status: undefined,
  priority: undefined,
  tag: undefined,
  operator: undefined,
  unread: undefined,
}

function Choices() {
  const { projectId, search, narrow } = useInboxPlace()
  const { data: people = [] } = useQuery(peopleQuery(projectId))
  const { data: tags = [] } = useQuery(tagsQuery(projectId))
  const choose = (field: keyof TicketSearch) => (value: string) =>
    narrow({ ...readSearch({ [field]: value }), ...(value === '' && { [field]: undefined }) })
  const lists: [keyof TicketSearch, string, Pair[]][] = [
    [
      'sort',
      text.inbox.sort,
      sorts.map(sort => [sort, text.inbox.sorts[sort as keyof typeof text.inbox.sorts]]),
    ],
    ['status', text.inbox.status, statuses.map(status => [status, text.inbox.statuses[status]])],
    ['priority', text.inbox.priority, priorities.map(one => [one, text.inbox.priorities[one]])],
    [
      'operator',
      text.inbox.assignee,
      [['none', text.inbox.nobody], ...people.map(({ id, name }): Pair => [id, name])],
    ],
    ['tag', text.inbox.tag, tags.map(({ name }) => [name, name])],
  ]
  return lists.map(([field, label, options]) => (
    <NativeSelect
      key={field}
      label={label}
      size="sm"
      value={String(search[field] ?? (field === 'sort' ? sorts[0] : ''))}
      data={[...(field === 'sort' ? [] : [['', text.inbox.any] as Pair]), ...options].map(
        ([value, name]) => ({
          value,
          label: name,
        }),
      )}
      onChange={event => choose(field)(event.currentTarget.value)}
    />
  ))
}

type Pair = [value: string, label: string]
