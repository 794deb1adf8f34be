import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import { UnsentDraft } from '../messages/unsent-draft.tsx'
import { type Ticket, ticketQuery } from '../tickets/queries.ts'
import { useInboxPlace } from './inbox.ts'
import classes from './ticket.module.css'

/**
 * Notices about a ticket: it follows up another, exceeds the plan's limit, or has a rating with a comment.
 */
export function TicketNotices({ ticket }: { ticket: Ticket }) {
  const { workspace_id, follow_up_of_id, over_limit, rating, rating_comment } = ticket
  if (!follow_up_of_id && !over_limit && !rating_comment) return null
  return (
    <Alert className={classes.circumstances} radius={0} p={6}>
      {rating !== null && rating_comment && (
        <span dir="auto">{text.live.ratedWith(rating, rating_comment)} </span>
      )}
      {over_limit && <span>{text.inbox.overLimit}</span>}
      {follow_up_of_id && (
        <>
          <span>{text.inbox.follows}</span> <Other projectId={workspace_id} id={follow_up_of_id} />
        </>
      )}
    </Alert>
  )
}

/** Replaces the composer of a merged ticket, because messages belong in the target. */
export function MergedInto({ ticket, id }: { ticket: Ticket; id: string }) {
  const { projectId, openTicket } = useInboxPlace()
  const { data: other } = useQuery(ticketQuery(projectId, id))
  return (
    <Alert className={classes.circumstances} radius={0} py="sm">
      <span>{text.inbox.merged}</span> <Other projectId={projectId} id={id} />
      {other && (
        <UnsentDraft
          projectId={projectId}
          from={ticket.id}
          into={id}
          onMove={() => openTicket(other.short_id)}
        />
      )}
    </Alert>
  )
}

interface OtherProps {
  projectId: string
  id: string
}

/** A link to another ticket, with its number and subject once they are loaded. */
function Other({ projectId, id }: OtherProps) {
  const { data } = useQuery(ticketQuery(projectId, id))
  return (
    <Go to={`/p/${projectId}/inbox/open/${data?.short_id ?? id}`} className={classes.other}>
      <bdi>
        {data
          ? `${text.inbox.number(data.short_id)} ${data.subject ?? text.inbox.noSubject}`
          : text.inbox.openOther}
      </bdi>
    </Go>
  )
}
