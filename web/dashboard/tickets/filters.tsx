import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { text } from '../core/text.ts'
import { peopleQuery } from '../operators/queries.ts'
import { tagsQuery } from '../tags/queries.ts'
import { useInboxPlace } from './inbox.ts'
import { countFilters, priorities, readSearch, sorts, statuses, type TicketSearch } from './search.ts'

/** What a view can be narrowed by, and its order. */
export function Filters() {
  const { projectId, search, narrow } = useInboxPlace()
  const { data: people = [] } = useQuery(peopleQuery(projectId))
  const { data: tags = [] } = useQuery(tagsQuery(projectId))
  const choose = (field: keyof TicketSearch) => (value: string) =>
    narrow({ ...readSearch({ [field]: value }), ...(value === '' && { [field]: undefined }) })
  const clear = { status: undefined, priority: undefined, tag: undefined, operator: undefined }
  return (
    <>
      <Choice
        label={text.inbox.sort}
        value={search.sort ?? sorts[0]!}
        options={sorts.map(sort => [sort, text.inbox.sorts[sort as keyof typeof text.inbox.sorts]])}
        onChoose={choose('sort')}
      />
      <Choice
        label={text.inbox.status}
        value={search.status}
        options={statuses.map(status => [status, text.inbox.statuses[status]])}
        onChoose={choose('status')}
      />
      <Choice
        label={text.inbox.priority}
        value={search.priority}
        options={priorities.map(priority => [priority, text.inbox.priorities[priority]])}
        onChoose={choose('priority')}
      />
      <Choice
        label={text.inbox.assignee}
        value={search.operator}
        options={[['none', text.inbox.nobody], ...people.map(({ id, name }): Pair => [id, name])]}
        onChoose={choose('operator')}
      />
      <Choice
        label={text.inbox.tag}
        value={search.tag}
        options={tags.map(({ name }) => [name, name])}
        onChoose={choose('tag')}
      />
      {countFilters(search) > 0 && (
        <Button variant="subtle" size="xs" onClick={() => narrow(clear)}>
          {text.inbox.clearFilters}
        </Button>
      )}
    </>
  )
}

type Pair = [value: string, label: string]

interface ChoiceProps {
  label: string
  value: string | undefined
  options: Pair[]
  onChoose(value: string): void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const any: Pair[] = label === text.inbox.sort ? [] : [['', text.inbox.anybody]]
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value ?? ''}
      data={[...any, ...options].map(([id, name]) => ({ value: id, label: name }))}
      onChange={event => onChoose(event.currentTarget.value)}
    />
  )
}
