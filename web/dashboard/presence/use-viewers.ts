import { useQuery } from '@tanstack/react-query'
import { type Person, peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { useTicketViewers } from './presence.ts'

interface Viewer {
  person: Person
  is_typing: boolean
  is_internal: boolean
}

/** The others who have this ticket open. */
export function useViewers(ticketId: string): Viewer[] {
  const { id, operatorId } = useProject()
  const { data: people = [] } = useQuery(peopleQuery(id))
  return useTicketViewers(ticketId)
    .filter(one => one.operator_id !== operatorId)
    .flatMap(({ operator_id, ...rest }) => {
      const person = people.find(one => one.id === operator_id)
      return person ? [{ person, ...rest }] : []
    })
}
