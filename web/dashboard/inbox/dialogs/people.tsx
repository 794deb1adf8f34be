import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../core/avatar.tsx'
import { Picker, type PickerOption } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { departmentsQuery, type Person, peopleQuery } from '../../operators/queries.ts'
import { useProject } from '../../projects/project.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { transfer } from '../change.ts'
import { closeTicketDialog } from '../dialog-state.ts'
import { apply } from './apply.ts'

interface Props {
  tickets: Ticket[]
}

const nobody = ''

const choiceOf = (person: Person, tickets: Ticket[], operatorId: string): PickerOption => ({
  id: person.id,
  label: person.id === operatorId ? text.actions.me(person.name) : person.name,
  about: text.live.statuses[person.status],
  icon: <Avatar size={24} src={person.avatar_url} name={person.name} />,
  isChosen: tickets.every(({ operator_id }) => operator_id === person.id),
})

/** Oneself first, then all others by name. */
const inOrder = (people: Person[], operatorId: string): Person[] => {
  const isOther = (person: Person) => Number(person.id !== operatorId)
  return people.toSorted((one, other) => isOther(one) - isOther(other) || one.name.localeCompare(other.name))
}

export function Assign({ tickets }: Props) {
  const { id, operatorId } = useProject()
  const { data: people = [] } = useQuery(peopleQuery(id))
  const choices = inOrder(people, operatorId).map(person => choiceOf(person, tickets, operatorId))
  const choose = (chosen: string) => {
    const person = people.find(one => one.id === chosen)
    const operator = person ? { id: person.id, name: person.name, avatar_url: person.avatar_url } : null
    apply(tickets, { operator_id: chosen || null }, { operator_id: chosen || null, operator })
  }
  return (
    <Picker
      title={text.actions.assignTitle}
      choices={[...choices, { id: nobody, label: text.actions.unassign }]}
      onChoose={choose}
      onClose={closeTicketDialog}
    />
  )
}

/** Asks for the department first, and then for a person; anyone in the department if none is chosen. */
export function Transfer({ tickets }: Props) {
  const { id, operatorId } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const { data: people = [] } = useQuery(peopleQuery(id))
  const [chosen, setChosen] = useState<string | null>(null)
  const department = departments.find(one => one.id === chosen)
  if (!department) {
    const choices = departments.map(one => ({
      id: one.id,
      label: one.name,
      isChosen: tickets.every(({ department_id }) => department_id === one.id),
    }))
    return (
      <Picker
        title={text.actions.transferTitle}
        choices={choices}
        onChoose={setChosen}
        onClose={closeTicketDialog}
        isMulti
      />
    )
  }
  const there = people.filter(({ department_ids }) => department_ids.includes(department.id))
  const choose = (operator: string) => {
    const [one] = tickets
    const operator_id = operator || null
    if (one && tickets.length === 1) void transfer(one, department.id, operator_id)
    else apply(tickets, { department_id: department.id, operator_id })
  }
  return (
    <Picker
      key={department.id}
      title={text.actions.transferTo(department.name)}
      choices={[
        { id: nobody, label: text.actions.anyoneThere(department.name) },
        ...inOrder(there, operatorId)
          .map(person => choiceOf(person, [], operatorId))
          .map(choice => ({ ...choice, isChosen: false })),
      ]}
      onChoose={choose}
      onClose={closeTicketDialog}
    />
  )
}
