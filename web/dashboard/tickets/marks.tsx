import { ArrowDownIcon, ArrowUpIcon, ExclamationTriangleIcon, MinusIcon } from '@heroicons/react/16/solid'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import classes from './marks.module.css'
import type { TicketPriority, TicketStatus } from './queries.ts'
import { useTagColor } from './tag-colors.ts'

/** Status and priority: shown by a shape and a word, never by colour alone. */

export const StatusMark = ({ status }: { status: TicketStatus }) => (
  <span className={classes.status}>
    <i className={classes.dot} data-status={status} />
    {text.inbox.statuses[status]}
  </span>
)

/** For rows, which have no space for the word. */
export const StatusDot = ({ status }: { status: TicketStatus }) => (
  <i
    className={classes.dot}
    data-status={status}
    role="img"
    aria-label={`${text.inbox.status}: ${text.inbox.statuses[status]}`}
    title={text.inbox.statuses[status]}
  />
)

const prioritySigns: Record<TicketPriority, Icon> = {
  low: ArrowDownIcon,
  normal: MinusIcon,
  high: ArrowUpIcon,
  urgent: ExclamationTriangleIcon,
}

export function PriorityMark({ priority }: { priority: TicketPriority }) {
  const Sign = prioritySigns[priority]
  return (
    <span
      className={classes.priority}
      data-priority={priority}
      role="img"
      aria-label={`${text.inbox.priority}: ${text.inbox.priorities[priority]}`}
      title={text.inbox.priorities[priority]}
    >
      <Sign width={14} aria-hidden />
    </span>
  )
}

export const RatingMark = ({ rating }: { rating: number }) => (
  <span className={classes.rating} role="img" aria-label={text.live.rated(rating)}>
    {'★'.repeat(rating)}
    <span className={classes.noStar}>{'★'.repeat(5 - rating)}</span>
  </span>
)

/** In the tag's own colour, which its border and background take from the element. */
export function TagMark({ tag }: { tag: string }) {
  const color = useTagColor(tag)
  return (
    <span className={classes.tag} style={color ? { color } : undefined}>
      <span>{tag}</span>
    </span>
  )
}

/** Beside the name, for people who do not see colours. */
export const TagDot = ({ color }: { color: string | null }) => (
  <span className={classes.tagDot} style={{ background: color ?? 'var(--line)' }} aria-hidden />
)
