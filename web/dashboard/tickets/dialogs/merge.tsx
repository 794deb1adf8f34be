import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../core/confirm.tsx'
import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { brief } from '../../core/time.ts'
import { closeQuestion } from '../asked.ts'
import { useInboxPlace } from '../inbox.ts'
import { mergeInto } from '../merge.tsx'
import { nameOf } from '../names.ts'
import { mergeTargetsQuery, type Ticket } from '../queries.ts'

/** The other tickets of the contact first; whatever else is searched for. */
export function Merge({ tickets }: { tickets: Ticket[] }) {
  const source = tickets[0]!
  const { openTicket } = useInboxPlace()
  const [words, setWords] = useState('')
  const [searched] = useDebouncedValue(words.trim(), 200)
  const { data = [], isPlaceholderData } = useQuery({
    ...mergeTargetsQuery(source, searched),
    placeholderData: keepPreviousData,
  })
  const [foreign, setForeign] = useState<Ticket | null>(null)
  const merge = (into: Ticket) => {
    closeQuestion()
    void mergeInto(source, into, openTicket)
  }
  const choose = (id: string) => {
    const into = data.find(one => one.id === id)!
    if (into.contact_id === source.contact_id) merge(into)
    else setForeign(into)
  }
  if (foreign)
    return (
      <Confirm
        isOpen
        title={text.actions.mergeOther}
        about={text.actions.mergeAbout}
        action={text.actions.mergeDo}
        run={() => merge(foreign)}
        onClose={closeQuestion}
      />
    )
  return (
    <Picker
      isMulti
      title={text.actions.mergeTitle}
      choices={data.map(one => ({
        id: one.id,
        label: `${text.inbox.number(one.short_id)} ${one.subject ?? text.inbox.noSubject}`,
        about: `${nameOf(one.contact)}, ${brief(one.last_message?.created_at ?? one.created_at)}`,
      }))}
      onSearch={setWords}
      isStale={isPlaceholderData || searched !== words.trim()}
      onChoose={choose}
      onClose={closeQuestion}
    />
  )
}
