import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../core/confirm.tsx'
import { asFailure } from '../../core/failure.ts'
import { showFailure } from '../../core/notice.ts'
import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { contactNameOf } from '../../tickets/names.ts'
import { mergeTargetsQuery, type Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog, findTicketDialog } from '../dialog-state.ts'
import { useInboxPlace } from '../inbox.ts'
import { mergeInto } from '../merge.ts'
import { listDoubts } from './merge-doubts.ts'
import { MergeMany } from './merge-many.tsx'
import { ticketOption } from './ticket-option.ts'

interface Doubtful {
  into: Ticket
  doubts: string[]
}

function Doubt({ source, into, doubts, run }: Doubtful & { source: Ticket; run(): void }) {
  const { mergeInto: title, mergeOther } = text.actions
  return (
    <Confirm
      isOpen
      title={
        into.contact_id === source.contact_id
          ? title(source.short_id, into.short_id)
          : mergeOther(into.short_id, contactNameOf(into.contact))
      }
      about={text.actions.mergeAbout}
      action={text.actions.mergeDo}
      run={run}
      onClose={closeTicketDialog}
    >
      {doubts.map(words => (
        <Text key={words} mb="xs">
          {words}
        </Text>
      ))}
    </Confirm>
  )
}

/** Merges one ticket into another, or several into one of them. */
export function Merge({ tickets }: { tickets: Ticket[] }) {
  return tickets.length > 1 ? <MergeMany tickets={tickets} /> : <MergeOne source={tickets[0]!} />
}

/** Lists the contact's other tickets first; all others can be searched for. */
function MergeOne({ source }: { source: Ticket }) {
  const { openTicket } = useInboxPlace()
  const [words, setWords] = useState('')
  const [searched] = useDebouncedValue(words.trim(), 200)
  const { data = [], isPlaceholderData } = useQuery({
    ...mergeTargetsQuery(source, searched),
    placeholderData: keepPreviousData,
  })
  const [doubtful, setDoubtful] = useState<Doubtful | null>(null)
  const merge = (into: Ticket) => {
    closeTicketDialog()
    void mergeInto(source, into, openTicket)
  }
  const choose = async (id: string) => {
    const into = data.find(one => one.id === id)!
    const dialog = findTicketDialog()
    const doubts = await listDoubts(source, into).catch(failure => showFailure(asFailure(failure)))
    // Somebody may have closed it by now.
    if (!doubts || findTicketDialog() !== dialog) return
    if (into.contact_id === source.contact_id && doubts.length === 0) merge(into)
    else setDoubtful({ into, doubts })
  }
  if (doubtful) return <Doubt source={source} {...doubtful} run={() => merge(doubtful.into)} />
  return (
    <Picker
      isMulti
      title={text.actions.mergeTitle(source.short_id)}
      choices={data.map(ticketOption)}
      onSearch={setWords}
      isStale={isPlaceholderData || searched !== words.trim()}
      onChoose={id => void choose(id)}
      onClose={closeTicketDialog}
    />
  )
}
