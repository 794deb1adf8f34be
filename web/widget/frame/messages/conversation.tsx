import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Ticket } from '../core/records.ts'
import { replace } from '../core/route.ts'
import { text } from '../core/text.ts'
import { config } from '../session/config.ts'
import { Avatar } from '../shell/avatar.tsx'
import { Bar } from '../shell/bar.tsx'
import { Connection } from '../shell/state.tsx'
import { isAway, sayPresence } from '../tickets/presence.ts'
import { findTicket } from '../tickets/tickets.ts'
import { Composer, type Writing } from './composer.tsx'
import { Details, needsDetails } from './details.tsx'
import { details } from './drafts.ts'
import { useDrop } from './drop.ts'
import { EmailCopyButton, EmailCopyState } from './email-copy.tsx'
import { Log } from './log.tsx'
import { post } from './outbox.ts'
import { isThere } from './outgoing.ts'
import { TelegramButton, TelegramState } from './telegram.tsx'
import { loadThread } from './thread.ts'

function Title({ ticket }: { ticket: Ticket | null }) {
  const { name, logo_url } = config.value!
  const operator = ticket?.operator
  const presence = sayPresence()
  return (
    <>
      <Avatar name={operator?.name ?? name} avatar_url={operator ? operator.avatar_url : logo_url} />
      <span class="bar-words">
        <h1 tabIndex={-1} class="bar-name" dir="auto">
          {operator?.name ?? name}
        </h1>
        {presence && <span class={`presence ${isAway() ? 'is-away' : ''}`}>{presence}</span>}
      </span>
    </>
  )
}

/** The form and its button disappear when it is sent, and what follows is the first message. */
function useFocusAfterDetails(place: RefObject<HTMLElement | null>, asks: boolean): void {
  const asked = useRef(asks)
  useEffect(() => {
    if (asked.current && !asks) place.current?.querySelector('textarea')?.focus()
    asked.current = asks
  }, [asks, place])
}

export function Conversation({ id }: { id: string }) {
  useEffect(() => {
    if (isThere(id)) void loadThread(id)
  }, [id])
  const place = useRef<HTMLElement>(null)
  const isDropping = useDrop(place)
  const ticket = findTicket(id)
  const asks = id === 'new' && needsDetails()
  useFocusAfterDetails(place, asks)
  const write = (writing: Writing) => {
    if (isThere(id)) return void post(id, writing)
    const fields = details.peek() ?? undefined
    const at = post(id === 'new' ? null : id, { ...writing, fields })
    replace({ name: 'conversation', id: at })
  }
  return (
    <main class="page conversation" ref={place}>
      <Bar
        action={
          <>
            <TelegramButton ticket={ticket} />
            <EmailCopyButton ticket={ticket} />
          </>
        }
      >
        <Title ticket={ticket} />
      </Bar>
      <Connection />
      <EmailCopyState id={id} />
      <TelegramState id={id} />
      {asks ? (
        <div class="page-body">
          <Details />
        </div>
      ) : (
        <Log id={id} />
      )}
      {!asks && <Composer id={id} post={write} />}
      {isDropping && <div class="drop">{text.value.drop}</div>}
    </main>
  )
}
