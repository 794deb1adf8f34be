import { pageText } from '../core/page-text.ts'
import { When } from '../core/when.tsx'
import type { Mailbox } from './queries.ts'

interface Props {
  mailbox: Mailbox
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
