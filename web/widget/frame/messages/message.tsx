import { isReached } from '../core/api.ts'
import { fill, text } from '../core/text.ts'
import { printClock } from '../core/time.ts'
import { config } from '../session/config.ts'
import { Avatar } from '../shell/avatar.tsx'
import { sayFailure } from '../shell/failure-words.ts'
import { Icon } from '../shell/icon.tsx'
import { findTicket } from '../tickets/tickets.ts'
import { answered } from './drafts.ts'
import type { Line } from './list.ts'
import { Files } from './media.tsx'
import { discard, retry } from './outbox.ts'
import type { Outgoing } from './outgoing.ts'
import { ReactButton, Reactions } from './reactions.tsx'

const nameOf = (line: Pick<Line, 'isMine' | 'name'>): string =>
  line.isMine ? text.value.you : (line.name ?? config.value?.name ?? text.value.team)

/** The quoted message. */
const Quote = ({ of }: { of: Line }) => (
  <blockquote class="quote">
    <strong dir="auto">{nameOf(of)}</strong>
    <span dir="auto">{of.content || of.media[0]?.filename}</span>
  </blockquote>
)

function Content({ line }: { line: Line }) {
  if (line.html === null)
    return line.content ? (
      <div class="words is-plain" dir="auto">
        {line.content}
      </div>
    ) : null
  if (!line.html) return null
  return <div class="words" dir="auto" dangerouslySetInnerHTML={{ __html: line.html }} />
}

function Failed({ outgoing }: { outgoing: Outgoing }) {
  return (
    <div class="outcome is-failed" role="alert">
      <span>{[text.value.notSent, sayFailure(outgoing.code)].filter(Boolean).join('. ')}</span>
      <button type="button" onClick={() => retry(outgoing.client_id)}>
        {text.value.retry}
      </button>
      <button type="button" onClick={() => discard(outgoing.client_id)}>
        {text.value.discard}
      </button>
    </div>
  )
}

/** Whether an operator has seen it. */
function isSeen({ message }: Line): boolean {
  const seen = message && findTicket(message.ticket_id)?.seen_at
  return Boolean(seen) && Date.parse(message!.created_at) <= Date.parse(seen!)
}

function Outcome({ line, isLast }: { line: Line; isLast: boolean }) {
  const { outgoing } = line
  if (outgoing?.state === 'failed') return <Failed outgoing={outgoing} />
  if (outgoing && outgoing.state !== 'sent')
    return <div class="outcome">{isReached.value ? text.value.sending : text.value.waiting}</div>
  if (!isLast && !line.endsGroup) return null
  const edited = line.message?.edited_at ? ` · ${text.value.edited}` : ''
  const sent = isLast && line.isMine ? ` · ${isSeen(line) ? text.value.seen : text.value.sent}` : ''
  return (
    <div class="outcome">
      <time dateTime={line.at}>{printClock(line.at)}</time>
      {edited}
      {sent}
    </div>
  )
}

function Actions({ line }: { line: Line }) {
  if (!line.message) return null
  const label = fill(text.value.replyTo, { name: nameOf(line) })
  return (
    <div class="actions">
      <ReactButton message={line.message} />
      <button
        type="button"
        class="tap"
        title={text.value.reply}
        aria-label={label}
        onClick={() => {
          answered.value = line
        }}
      >
        <Icon name="reply" />
      </button>
    </div>
  )
}

const onlyEmoji = /^(?:\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f\u200d]*){1,3}$/u

interface Props {
  line: Line
  replied: Line | undefined
  isLast: boolean
}

export function MessageLine({ line, replied, isLast }: Props) {
  const isBig = onlyEmoji.test(line.content.trim()) && line.media.length === 0 && !replied
  const look = [
    'line',
    line.isMine ? 'is-mine' : 'is-theirs',
    line.startsGroup && 'starts',
    line.endsGroup && 'ends',
    isBig && 'is-big',
    line.outgoing && 'is-under-way',
  ]
  return (
    <li class={look.filter(Boolean).join(' ')}>
      {!line.isMine && line.endsGroup && (
        <Avatar name={nameOf(line)} avatar_url={line.avatar ?? (line.name ? null : config.value?.logo_url)} />
      )}
      {(line.isMine || line.startsGroup) && (
        <span class={line.isMine ? 'unseen' : 'sender'} dir="auto">
          {nameOf(line)}
        </span>
      )}
      <div class="bubble-row">
        <div class="bubble">
          {replied && <Quote of={replied} />}
          <Content line={line} />
          <Files files={line.media} />
        </div>
        <Actions line={line} />
      </div>
      {line.message && <Reactions message={line.message} />}
      <Outcome line={line} isLast={isLast} />
    </li>
  )
}
