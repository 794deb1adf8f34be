import { useQuery } from '@tanstack/react-query'
import {
  type CustomChannel,
  customChannelsQuery,
  isLate,
  useCustomChannel,
} from '../channels/custom-channels.ts'
import { isolate } from '../core/isolate.tsx'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { contactNameOf } from '../tickets/names.ts'
import type { Composing } from './composing.ts'
import classes from './email-fields.module.css'
import { ReplyWarning } from './reply-warning.tsx'

/** Shows which custom channel a reply goes through, and warns if the reply must wait or cannot be sent. */
export default function CustomReply({ composing: { projectId, ticket } }: { composing: Composing }) {
  useQuery({ ...customChannelsQuery(projectId), refetchInterval: 15_000 })
  const channel = useCustomChannel(projectId, ticket.channel)
  if (channel === undefined) return null
  if (channel === null) return <ReplyWarning words={text.customTickets.isGone} />
  const warning = warn(channel)
  return warning ? (
    <ReplyWarning words={warning} />
  ) : (
    <p className={classes.fate} dir="auto">
      {text.customTickets.goesTo(contactNameOf(ticket.contact), channel.title)}
    </p>
  )
}

function warn(channel: CustomChannel): string | null {
  const { title, state, waiting_since } = channel
  if (state === 'paused') return text.customTickets.isPaused(isolate(title))
  return waiting_since && isLate(channel)
    ? text.customTickets.isLate(isolate(title), moment(waiting_since))
    : null
}
