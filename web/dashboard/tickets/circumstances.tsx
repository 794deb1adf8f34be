import { Alert } from '@mantine/core'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import type { Ticket } from './queries.ts'
import classes from './ticket.module.css'

/** What is particular about a ticket: it went into another, goes on from one, is above what the plan allows, or was rated with words. */
export function Circumstances({ ticket }: { ticket: Ticket }) {
  const { workspace_id, merged_into_id, follow_up_of_id, over_limit, rating, rating_comment } = ticket
  const other = merged_into_id ?? follow_up_of_id
  if (!other && !over_limit && !rating_comment) return null
  return (
    <Alert className={classes.circumstances} radius={0} p={6}>
      {rating !== null && rating_comment && (
        <span dir="auto">{text.widget.ratedWith(rating, rating_comment)} </span>
      )}
      {over_limit && <span>{text.inbox.overLimit}</span>}
      {other && (
        <>
          <span>{merged_into_id ? text.inbox.merged : text.inbox.follows}</span>{' '}
          <Go to={`/p/${workspace_id}/inbox/open/${other}`} className={classes.other}>
            {text.inbox.openMerged}
          </Go>
        </>
      )}
    </Alert>
  )
}
