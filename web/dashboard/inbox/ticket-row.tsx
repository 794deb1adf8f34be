import { memo } from 'react'
import { Avatar } from '../core/avatar.tsx'
import { useNow } from '../core/clock.ts'
import { Go } from '../core/go.tsx'
import { Marked } from '../core/marked.tsx'
import { text } from '../core/text.ts'
import { brief, duration, moment } from '../core/time.ts'
import { prefetchConversation } from '../messages/queries.ts'
import { RowViewers } from '../presence/row-viewers.tsx'
import { ChannelMark } from '../tickets/channel-mark.tsx'
import { PriorityMark, StatusDot, TagMark } from '../tickets/marks.tsx'
import { contactNameOf } from '../tickets/names.ts'
import type { Ticket } from '../tickets/queries.ts'
import classes from './row.module.css'
import facts from './row-facts.module.css'
import { RowPreview } from './row-preview.tsx'
import { tick } from './selection.ts'
import ticks from './tick.module.css'

interface Props {
  ticket: Ticket
  /** Its index in the list, and the height of the rows above it that are not rendered. */
  at: number
  gap: number
  isOpen: boolean
  isSelected: boolean
  /** Whether Tab stops at this row. */
  isReached: boolean
  view: string
  openTicket(number: string): unknown
}

const shownTags = 2

/** How long the contact has waited for a reply; otherwise when somebody last wrote. */
function When({ ticket }: { ticket: Ticket }) {
  const { waiting_since, last_message, created_at, sla } = ticket
  const now = useNow()
  const at = last_message?.created_at ?? created_at
  if (!waiting_since)
    return (
      <time dateTime={at} title={moment(at)} className={classes.time}>
        {brief(at)}
      </time>
    )
  const isLate = sla.breached.length > 0
  return (
    <time
      dateTime={waiting_since}
      title={text.inbox.waitsSince(moment(waiting_since))}
      className={isLate ? `${classes.time} ${facts.late}` : classes.time}
    >
      {isLate && <span className="hidden">{`${text.inbox.late}, `}</span>}
      {text.inbox.waits(duration(waiting_since, now))}
    </time>
  )
}

/** Who wrote, and when. */
function FirstLine({ ticket }: { ticket: Ticket }) {
  return (
    <span className={classes.first}>
      <span className={classes.name} dir="auto">
        {contactNameOf(ticket.contact)}
      </span>
      {ticket.is_unread && <span className="hidden">{text.inbox.unread}</span>}
      <span className={classes.signs}>
        <ChannelMark projectId={ticket.workspace_id} channel={ticket.channel} />
        {ticket.priority !== 'normal' && <PriorityMark priority={ticket.priority} />}
      </span>
      <When ticket={ticket} />
    </span>
  )
}

const Tags = ({ tags }: { tags: string[] }) => (
  <span className={classes.tags} data-more={tags.length > 1 ? `+${tags.length - 1}` : undefined}>
    {tags.slice(0, shownTags).map(tag => (
      <TagMark key={tag} tag={tag} />
    ))}
    {tags.length > shownTags && <span>{`+${tags.length - shownTags}`}</span>}
  </span>
)

/** Does not use the router: of a hundred rows, only two render again when another ticket is opened. */
export const TicketRow = memo(function TicketRow(props: Props) {
  const { ticket, at, gap, isOpen, isSelected, isReached, view, openTicket } = props
  const { workspace_id: projectId } = ticket
  const subject = ticket.subject ?? text.inbox.noSubject
  const prefetch = () => prefetchConversation(projectId, ticket.short_id)
  return (
    <li
      className={classes.row}
      data-row={at}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      style={gap > 0 ? { marginBlockStart: gap } : undefined}
    >
      <Go
        to={`/p/${projectId}/inbox/${view}/${ticket.short_id}`}
        onGo={() => openTicket(ticket.short_id)}
        className={classes.link}
        data-ticket={ticket.id}
        data-unread={ticket.is_unread || undefined}
        aria-current={isOpen ? 'true' : undefined}
        tabIndex={isReached ? 0 : -1}
        onMouseEnter={prefetch}
        onFocus={prefetch}
      >
        <FirstLine ticket={ticket} />
        <span className={classes.subject} dir="auto">
          <Marked places={(ticket.highlights ?? []).filter(({ field }) => field === 'subject')}>
            {subject}
          </Marked>
        </span>
        <span className={classes.last}>
          <RowPreview ticket={ticket} />
          <RowViewers ticketId={ticket.id} />
          {ticket.tags.length > 0 && <Tags tags={ticket.tags} />}
        </span>
        <span className={ticks.status}>
          <StatusDot status={ticket.status} />
        </span>
      </Go>
      <label className={ticks.tick}>
        <input
          type="checkbox"
          aria-label={text.inbox.select(subject)}
          checked={isSelected}
          onChange={event => tick(ticket.id, event.nativeEvent)}
          tabIndex={isReached ? 0 : -1}
        />
      </label>
      {ticket.operator && (
        <span className={classes.operator} title={ticket.operator.name}>
          <Avatar size={18} src={ticket.operator.avatar_url} name={ticket.operator.name} />
          <span className="hidden">{`${text.inbox.assignee}: ${ticket.operator.name}`}</span>
        </span>
      )}
    </li>
  )
})
