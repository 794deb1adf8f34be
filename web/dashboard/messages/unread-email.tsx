import { useQuery } from '@tanstack/react-query'
import { printNumber } from '../core/format.ts'
import { text } from '../core/text.ts'
import type { Composing } from './composing.ts'
import classes from './email-fields.module.css'
import { unreadEmailQuery } from './recipient-queries.ts'

const printMinutes = (minutes: number): string =>
  printNumber(minutes, { style: 'unit', unit: 'minute', unitDisplay: 'long' })

/** Says to which address a reply in the chat is sent by email. */
export default function UnreadEmail({ composing: { projectId, ticket } }: { composing: Composing }) {
  const { data } = useQuery(unreadEmailQuery(projectId, ticket.id))
  if (!data?.address) return null
  const { emailed, emailedUnread } = text.emailFields
  const { address, after_minutes } = data
  return (
    <p className={classes.fate} dir="auto">
      {after_minutes === 0 ? emailed(address) : emailedUnread(address, printMinutes(after_minutes))}
    </p>
  )
}
