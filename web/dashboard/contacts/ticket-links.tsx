import { Text } from '@mantine/core'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import { brief } from '../core/time.ts'
import { StatusMark } from '../tickets/marks.tsx'
import classes from './contacts.module.css'

interface Shown {
  id: string
  short_id: string
  subject: string | null
  status: 'new' | 'open' | 'pending' | 'on_hold' | 'closed'
  created_at: string
}

interface Props {
  projectId: string
  tickets: Shown[]
  /** Shown if there are no tickets. */
  empty: string
}

/** A contact's tickets as links to their conversations. */
export function TicketLinks({ projectId, tickets, empty }: Props) {
  if (tickets.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    )
  return (
    <ul className={classes.tickets}>
      {tickets.map(ticket => (
        <li key={ticket.id}>
          <Go to={`/p/${projectId}/inbox/open/${ticket.short_id}`} className={classes.ticket}>
            <span dir="auto">{ticket.subject ?? text.inbox.noSubject}</span>
            <small>
              <StatusMark status={ticket.status} /> {text.inbox.number(ticket.short_id)} ·{' '}
              <bdi>{brief(ticket.created_at)}</bdi>
            </small>
          </Go>
        </li>
      ))}
    </ul>
  )
}
