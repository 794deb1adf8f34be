import { Alert } from '@mantine/core'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import type { Ticket } from './queries.ts'
import classes from './ticket.module.css'

/** What is particular about a ticket: it went into another, goes on from one, or is above what the plan allows. */
export function Circumstances({ ticket }: { ticket: Ticket }) {
  const { workspace_id, merged_into_id, follow_up_of_id, over_limit } = ticket
  const other = merged_into_id ?? follow_up_of_id
  if (!other && !over_limit) return null
  return (
    <Alert className={classes.circumstances} radius={0} p={6}>
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
