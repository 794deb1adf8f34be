import { Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Avatar } from '../core/avatar.tsx'
import { text } from '../core/text.ts'
import { peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { listNames } from './list-names.ts'
import { usePresence } from './presence.ts'
import { useViewers } from './use-viewers.ts'
import classes from './viewers.module.css'

const useVisitor = (ticketId: string) =>
  usePresence().visitors.find(({ ticket_id }) => ticket_id === ticketId)

/** Shown if the visitor has the ticket open on the website. */
export function InChat({ ticketId }: { ticketId: string }) {
  if (!useVisitor(ticketId)?.is_watching) return null
  return <span className={classes.inChat}>{text.live.inChat}</span>
}

/** The avatars of the others. */
export function Viewers({ ticketId }: { ticketId: string }) {
  const viewers = useViewers(ticketId)
  if (viewers.length === 0) return null
  const words = text.inbox.looking(listNames(viewers.map(({ person }) => person.name)))
  return (
    <Tooltip label={words}>
      <span className={classes.viewers} role="img" aria-label={words}>
        {viewers.slice(0, 4).map(({ person }) => (
          <Avatar key={person.id} size={22} src={person.avatar_url} name={person.name} />
        ))}
      </span>
    </Tooltip>
  )
}

/** The names of others whose reply to this ticket waits to be sent. */
function useSenders(ticketId: string): string[] {
  const { id, operatorId } = useProject()
  const { data: people = [] } = useQuery(peopleQuery(id))
  return usePresence()
    .sending.filter(one => one.ticket_id === ticketId && one.operator_id !== operatorId)
    .flatMap(({ operator_id }) => people.find(one => one.id === operator_id)?.name ?? [])
}

/** "Omar is typing …" */
export function Typing({ ticketId }: { ticketId: string }) {
  const typing = useViewers(ticketId).filter(({ is_typing }) => is_typing)
  const names = listNames(typing.map(({ person }) => person.name))
  const isNote = typing.every(({ is_internal }) => is_internal)
  const visitor = useVisitor(ticketId)
  const senders = useSenders(ticketId)
  return (
    <p className={classes.typing} role="status">
      {visitor?.is_typing && <span>{text.live.visitorTyping} </span>}
      {senders.length > 0 && <span>{text.inbox.sending(listNames(senders))} </span>}
      {typing.length === 1 && (isNote ? text.inbox.typingNote(names) : text.inbox.typing(names))}
      {typing.length > 1 && text.inbox.typingMany(names)}
    </p>
  )
}
