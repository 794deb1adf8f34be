import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Ticket } from '../core/records.ts'
import { fill, text } from '../core/text.ts'
import { printDay } from '../core/time.ts'
import { typingOperators } from '../live/typing.ts'
import { config } from '../session/config.ts'
import { Loading, NotLoaded } from '../shell/state.tsx'
import { isAway } from '../tickets/presence.ts'
import { findTicket } from '../tickets/tickets.ts'
import { type Line, listLines } from './list.ts'
import { MessageLine } from './message.tsx'
import { Opening } from './opening.tsx'
import { isThere, outbox } from './outgoing.ts'
import { Rating } from './rating.tsx'
import { ToEnd, useStableScroll } from './stable-scroll.tsx'
import { drawn, loadEarlier, loadThread, threadOf } from './thread.ts'

function Earlier({ id }: { id: string }) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  if (!threadOf(id).hasMore) return null
  const load = () => {
    setState('loading')
    loadEarlier(id).then(
      () => setState('idle'),
      () => setState('failed'),
    )
  }
  return (
    <div class="earlier">
      {state === 'failed' && <p role="alert">{text.value.notLoaded}</p>}
      <button type="button" class="quiet" disabled={state === 'loading'} onClick={load}>
        {text.value.earlier}
      </button>
    </div>
  )
}

/** The first message that was unread when the conversation was opened. */
function findNew(lines: Line[], unread: number): string | null {
  if (unread === 0) return null
  return lines.filter(line => !line.isMine).at(-unread)?.key ?? null
}

function Lines({ lines, newFrom }: { lines: Line[]; newFrom: string | null }) {
  return (
    <ol class="lines">
      {lines.flatMap((line, at) => [
        line.startsDay && (
          <li class="day" key={`day ${line.key}`}>
            {printDay(line.at)}
          </li>
        ),
        line.key === newFrom && (
          <li class="new-line" key="new">
            {text.value.newLine}
          </li>
        ),
        <MessageLine
          key={line.key}
          line={line}
          replied={lines.find(({ message }) => message && message.id === line.replyTo)}
          isLast={at === lines.length - 1}
        />,
      ])}
    </ol>
  )
}

const Typing = ({ name }: { name: string }) => (
  <div class="typing" role="status">
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
    {fill(text.value.typing, { name })}
  </div>
)

export function Log({ id }: { id: string }) {
  const log = useRef<HTMLElement>(null)
  const thread = threadOf(id)
  const ticket = findTicket(id)
  const outgoing = outbox.value.filter(one => one.ticket_id === id)
  const lines = useMemo(
    () => listLines(isThere(id) ? thread.items : [], outgoing),
    [thread, outbox.value, id],
  )
  const [unread] = useState(ticket?.unread_count ?? 0)
  useLayoutEffect(() => {
    drawn.value = id
    return () => {
      drawn.value = null
    }
  }, [id])
  const newFrom = useMemo(() => findNew(lines, unread), [thread.state])
  const steady = useStableScroll(log, lines[0]?.key, lines.at(-1)?.key)
  const typer = typingOperators.value[id]
  const isWaiting = isThere(id) && lines.length === 0 && thread.state !== 'there'
  return (
    <section
      class="log"
      ref={log}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      aria-label={text.value.conversation}
      onScroll={steady.onScroll}
    >
      <div class="log-content">
        {isWaiting ? (
          <Waiting id={id} />
        ) : (
          <>
            <Earlier id={id} />
            {lines.length === 0 && <Opening />}
            <Lines lines={lines} newFrom={newFrom} />
            {lines.length > 0 && isAway() && (
              <p class="closed" dir="auto">
                {config.value!.texts.away || text.value.away}
              </p>
            )}
            {typer && <Typing name={typer} />}
            <End ticket={ticket} />
          </>
        )}
      </div>
      {steady.isAway && <ToEnd go={steady.toEnd} />}
    </section>
  )
}

const Waiting = ({ id }: { id: string }) =>
  threadOf(id).state === 'failed' ? <NotLoaded again={() => loadThread(id)} /> : <Loading />

function End({ ticket }: { ticket: Ticket | null }) {
  if (!ticket) return null
  const isRated = ticket.is_rateable && config.value?.features.rating
  return (
    <>
      {ticket.telegram_username && (
        <p class="closed">{fill(text.value.telegramOn, { name: ticket.telegram_username })}</p>
      )}
      {ticket.status === 'closed' && <p class="closed">{text.value.closed}</p>}
      {isRated && <Rating key={ticket.id} ticket={ticket} />}
    </>
  )
}
