import { Badge } from '@mantine/core'
import { pageText } from '../core/page-text.ts'
import { When } from '../core/when.tsx'
import type { Mailbox } from './queries.ts'

interface Props {
  mailbox: Mailbox
}

/** An active mailbox whose last attempt failed is retried by the server. */
export function MailboxState({ mailbox: { state, last_error } }: Props) {
  const { states, retrying } = pageText.mailboxes
  const isRed = state === 'broken'
  return (
    <Badge variant="default" {...(isRed && { c: 'var(--mantine-color-error)' })}>
      {state === 'active' && last_error ? retrying : states[state]}
    </Badge>
  )
}

export function LastFetched({ mailbox: { incoming, last_ok_at } }: Props) {
  const { lastFetched, neverFetched, listens, receivesNothing } = pageText.mailboxes
  if (incoming === 'listen') return listens
  if (incoming === 'none') return receivesNothing
  if (!last_ok_at) return neverFetched
  return (
    <>
      {lastFetched} <When time={last_ok_at} />
    </>
  )
}
