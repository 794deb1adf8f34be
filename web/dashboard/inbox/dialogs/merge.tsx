import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../../core/api.ts'
import { Confirm } from '../../core/confirm.tsx'
import { Picker } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { brief } from '../../core/time.ts'
import { contactNameOf } from '../../tickets/names.ts'
import { mergeTargetsQuery, type Ticket } from '../../tickets/queries.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { useInboxPlace } from '../inbox.ts'
import { mergeInto } from '../merge.tsx'

/** Warnings about chat visitors who would not see the whole conversation after the merge. */
async function listDoubts(source: Ticket, into: Ticket): Promise<string[]> {
  const params = {
    path: { project_id: source.workspace_id, ticket_id: source.id, into_ticket_id: into.id },
  }
  const address = '/projects/{project_id}/tickets/{ticket_id}/merge-readers/{into_ticket_id}'
  const { kept, merged } = await take(api.GET(address, { params }))
  return [
    ...(kept === 'own' ? [text.actions.mergeKept(into.short_id)] : []),
    ...(merged === 'nothing' ? [text.actions.mergeLost(source.short_id, into.short_id)] : []),
  ]
}

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
        into.contact_id === source.contact_id ? title(into.short_id) : mergeOther(contactNameOf(into.contact))
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

/** Lists the contact's other tickets first; all others can be searched for. */
export function Merge({ tickets }: { tickets: Ticket[] }) {
  const source = tickets[0]!
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
    const doubts = await listDoubts(source, into).catch(() => [])
    if (into.contact_id === source.contact_id && doubts.length === 0) merge(into)
    else setDoubtful({ into, doubts })
  }
  if (doubtful) return <Doubt source={source} {...doubtful} run={() => merge(doubtful.into)} />
  return (
    <Picker
      isMulti
      title={text.actions.mergeTitle}
      choices={data.map(one => ({
        id: one.id,
        label: `${text.inbox.number(one.short_id)} ${one.subject ?? text.inbox.noSubject}`,
        about: `${contactNameOf(one.contact)}, ${brief(one.last_message?.created_at ?? one.created_at)}`,
      }))}
      onSearch={setWords}
      isStale={isPlaceholderData || searched !== words.trim()}
      onChoose={id => void choose(id)}
      onClose={closeTicketDialog}
    />
  )
}
