import { memo } from 'react'
import { Avatar } from '../core/avatar.tsx'
import { Go } from '../core/go.tsx'
import { Marked } from '../core/marked.tsx'
import { text } from '../core/text.ts'
import { brief, moment } from '../core/time.ts'
import { prefetchConversation } from '../messages/queries.ts'
import { PriorityMark, StatusMark, TagMark } from '../tickets/marks.tsx'
import { contactNameOf } from '../tickets/names.ts'
import type { Ticket } from '../tickets/queries.ts'
import { cutSnippet } from '../tickets/snippet.ts'
import classes from './list.module.css'
import { toggleSelected } from './selection.ts'

interface Props {
  ticket: Ticket
  isOpen: boolean
  isSelected: boolean
  /** Whether Tab stops at this row. */
  isReached: boolean
  view: string
  openTicket(number: string): unknown
}

const shownTags = 2

/** The search hit; otherwise the unsent draft, or the last message. */
function Preview({ ticket }: { ticket: Ticket }) {
  const { has_draft, draft_preview, last_message, highlights = [] } = ticket
  const snippet = cutSnippet(ticket)
  if (snippet)
    return (
      <span className={classes.preview} dir="auto">
        {snippet.from > 0 && '… '}
        <Marked places={highlights.filter(({ field }) => field === 'content')} from={snippet.from}>
          {snippet.text}
        </Marked>
      </span>
    )
  return (
    <span className={classes.preview} dir="auto">
      {has_draft && <em>{draft_preview ? text.inbox.draftOf : text.inbox.draft}</em>}{' '}
      {has_draft ? draft_preview : last_message?.preview}
    </span>
  )
}

/** Who wrote, and when. */
function FirstLine({ ticket }: { ticket: Ticket }) {
  const at = ticket.last_message?.created_at ?? ticket.created_at
  return (
    <span className={classes.first}>
      <span className={classes.name} dir="auto">
        {contactNameOf(ticket.contact)}
      </span>
      {ticket.is_unread && <span className="hidden">{text.inbox.unread}</span>}
      <time dateTime={at} title={moment(at)} className={classes.time}>
        {brief(at)}
      </time>
    </span>
  )
}

const Marks = ({ ticket }: { ticket: Ticket }) => (
  <span className={classes.marks}>
    <StatusMark status={ticket.status} />
    {ticket.priority !== 'normal' && <PriorityMark priority={ticket.priority} />}
    {ticket.tags.slice(0, shownTags).map(tag => (
      <TagMark key={tag} tag={tag} />
    ))}
    {ticket.tags.length > shownTags && <span>{`+${ticket.tags.length - shownTags}`}</span>}
  </span>
)

/** Does not use the router: of a hundred rows, only two render again when another ticket is opened. */
export const TicketRow = memo(function TicketRow(props: Props) {
  const { ticket, isOpen, isSelected, isReached, view, openTicket } = props
  const { workspace_id: projectId } = ticket
  const subject = ticket.subject ?? text.inbox.noSubject
  const prefetch = () => prefetchConversation(projectId, ticket.short_id)
  return (
    <li className={classes.row} data-open={isOpen || undefined} data-selected={isSelected || undefined}>
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
        <Preview ticket={ticket} />
        <Marks ticket={ticket} />
      </Go>
      <label className={classes.tick}>
        <input
          type="checkbox"
          aria-label={text.inbox.select(subject)}
          checked={isSelected}
          onChange={() => toggleSelected(ticket.id)}
          tabIndex={isReached ? 0 : -1}
        />
      </label>
      {ticket.operator && (
        <span className={classes.operator} title={ticket.operator.name}>
          <Avatar size={20} src={ticket.operator.avatar_url} name={ticket.operator.name} />
          <span className="hidden">{`${text.inbox.assignee}: ${ticket.operator.name}`}</span>
        </span>
      )}
    </li>
  )
})
