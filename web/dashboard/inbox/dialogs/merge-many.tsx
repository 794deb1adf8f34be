import { Text } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../core/confirm.tsx'
import { asFailure } from '../../core/failure.ts'
import { showFailure } from '../../core/notice.ts'
import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog, findTicketDialog } from '../dialog-state.ts'
import { useInboxPlace } from '../inbox.ts'
import { mergeMany } from '../merge-many.ts'
import { listDoubts } from './merge-doubts.ts'
import { ticketOption } from './ticket-option.ts'

interface Question {
  into: Ticket
  doubts: string[]
}

const othersThan = (tickets: Ticket[], into: Ticket): Ticket[] => tickets.filter(({ id }) => id !== into.id)

async function listAllDoubts(sources: Ticket[], into: Ticket): Promise<string[]> {
  const strangers = sources.filter(({ contact_id }) => contact_id !== into.contact_id).length
  const doubts = await Promise.all(sources.map(source => listDoubts(source, into)))
  return [...(strangers > 0 ? [text.bulk.mergeOthers(strangers)] : []), ...new Set(doubts.flat())]
}

/** Asks into which of the selected tickets the others are merged. */
export function MergeMany({ tickets }: { tickets: Ticket[] }) {
  const { openTicket } = useInboxPlace()
  const [question, setQuestion] = useState<Question | null>(null)
  const merge = (into: Ticket) => {
    closeTicketDialog()
    void mergeMany(othersThan(tickets, into), into, openTicket)
  }
  const choose = async (id: string) => {
    const into = tickets.find(one => one.id === id)!
    const dialog = findTicketDialog()
    const others = othersThan(tickets, into)
    const doubts = await listAllDoubts(others, into).catch(failure => showFailure(asFailure(failure)))
    // Somebody may have closed it by now.
    if (!doubts || findTicketDialog() !== dialog) return
    if (doubts.length > 0) setQuestion({ into, doubts })
    else merge(into)
  }
  if (!question)
    return (
      <Picker
        isMulti
        title={text.bulk.mergeMany(tickets.length)}
        choices={tickets.map(ticketOption)}
        onChoose={id => void choose(id)}
        onClose={closeTicketDialog}
      />
    )
  const { into, doubts } = question
  return (
    <Confirm
      isOpen
      title={text.bulk.mergeManyInto(tickets.length - 1, into.short_id)}
      about={text.bulk.mergeManyAbout}
      action={text.actions.mergeDo}
      run={() => merge(into)}
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
