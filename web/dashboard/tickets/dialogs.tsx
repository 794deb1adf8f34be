import { Avatar } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Picker } from '../core/picker.tsx'
import { text } from '../core/text.ts'
import { peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { closeQuestion, useAsked } from './asked.ts'
import { patch } from './change.ts'
import type { Ticket } from './queries.ts'

/** The dialog that an action has opened. */
export function TicketDialogs() {
  const asked = useAsked()
  if (!asked) return null
  return <Assign tickets={asked.tickets} />
}

function Assign({ tickets }: { tickets: Ticket[] }) {
  const { id } = useProject()
  const { data: people = [] } = useQuery(peopleQuery(id))
  const nobody = { id: '', label: text.actions.unassign, icon: <Avatar size={22} alt="" /> }
  const choices = people.map(one => ({
    id: one.id,
    label: one.name,
    icon: <Avatar size={22} src={one.avatar_url} name={one.name} color="initials" alt="" />,
    isChosen: tickets.every(({ operator_id }) => operator_id === one.id),
  }))
  const choose = (id: string) => {
    for (const ticket of tickets) void patch(ticket, { operator_id: id || null }, {})
  }
  return (
    <Picker
      title={text.actions.assignTitle}
      choices={[...choices, nobody]}
      onChoose={choose}
      onClose={closeQuestion}
    />
  )
}
