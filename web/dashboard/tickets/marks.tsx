import { Badge } from '@mantine/core'
import { text } from '../core/text.ts'
import classes from './marks.module.css'
import type { TicketPriority, TicketStatus } from './queries.ts'
import { useTagColor } from './tag-colors.ts'

/** Status and priority: shown by a shape and a word, never by colour alone. */

export const StatusMark = ({ status }: { status: TicketStatus }) => (
  <span className={classes.status} data-status={status}>
    {text.inbox.statuses[status]}
  </span>
)

const bars: Record<TicketPriority, number> = { low: 1, normal: 2, high: 3, urgent: 4 }

export const PriorityMark = ({ priority }: { priority: TicketPriority }) => (
  <span
    className={classes.priority}
    data-priority={priority}
    role="img"
    aria-label={`${text.inbox.priority}: ${text.inbox.priorities[priority]}`}
    title={text.inbox.priorities[priority]}
  >
    {[1, 2, 3, 4].map(bar => (
      <i key={bar} data-on={bar <= bars[priority] || undefined} />
    ))}
  </span>
)

export const RatingMark = ({ rating }: { rating: number }) => (
  <span className={classes.rating} role="img" aria-label={text.live.rated(rating)}>
    {'★'.repeat(rating)}
    <span className={classes.noStar}>{'★'.repeat(5 - rating)}</span>
  </span>
)

export function TagMark({ tag }: { tag: string }) {
  const color = useTagColor(tag)
  return (
    <Badge
      variant="default"
      size="sm"
      radius="sm"
      className={classes.tag}
      leftSection={color && <TagDot color={color} />}
    >
      {tag}
    </Badge>
  )
}

/** Beside the name, for people who do not see colours. */
export const TagDot = ({ color }: { color: string | null }) => (
  <span className={classes.dot} style={{ background: color ?? 'var(--line)' }} aria-hidden />
)
