import { LockClosedIcon } from '@heroicons/react/16/solid'
import { useQuery } from '@tanstack/react-query'
import { memo, Suspense } from 'react'
import type { SystemKind } from '../../../src/tickets/system-texts.ts'
import { Avatar } from '../core/avatar.tsx'
import { Isolated, isolate } from '../core/isolate.tsx'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { hour, moment } from '../core/time.ts'
import { peopleQuery } from '../operators/queries.ts'
import { DeliveryMark } from './delivery.tsx'
import { EmailHead } from './email-head.tsx'
import { Html } from './html.tsx'
import { IdentityMark } from './identity.tsx'
import { MessageMedia } from './media.tsx'
import { listCallNames } from './mentions.ts'
import classes from './message.module.css'
import { MessageMenu } from './message-menu.tsx'
import { type Message, receivedEmailOf } from './queries.ts'
import { Reactions } from './reactions.tsx'
import { scrollToMessage } from './reading-place.ts'
import { wordsOf } from './words.ts'
import { WrittenDown } from './written-down.tsx'

/** Most projects have more messages from the chat than emails. */
const EmailBody = lazily(() => import('./email-body.tsx'))

interface Props {
  message: Message
  isFollowing: boolean
  /** Whether Tab stops at its menu; arrow keys move to the others. */
  isReached: boolean
  /** Whether a search has found it. */
  isFound: boolean
  answered: Message | undefined
}

export const senderOf = ({ sender_name, sender_type }: Message): string =>
  sender_name || (sender_type === 'bot' ? text.messages.bot : text.inbox.noName)

/** A message, or a system message. */
export const MessageItem = memo(function MessageItem(props: Props) {
  return props.message.sender_type === 'system' ? <System message={props.message} /> : <Said {...props} />
})

const isOfPerson = (key: string): boolean => /(name|title)$|^address$|^subject$/.test(key)

/** The names in what the system records are not in the page's language. */
const isolateNames = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data ?? null), (key, value) =>
    typeof value === 'string' && isOfPerson(key) ? isolate(value) : value,
  )

/** In the reader's language, if this version of the dashboard knows the kind. */
function wordSystem({ system, content }: Message): string {
  const { kind = '', data } = (system ?? {}) as { kind?: string; data?: never }
  return kind in text.system ? text.system[kind as SystemKind](isolateNames(data) as never) : content
}

const System = ({ message }: { message: Message }) => (
  <p className={classes.system} id={`message-${message.id}`}>
    <span dir="auto">
      <Isolated words={wordSystem(message)} />
    </span>{' '}
    <time dateTime={message.created_at} title={moment(message.created_at)}>
      {hour(message.created_at)}
    </time>
  </p>
)

function Said({ message, isFollowing, isReached, isFound, answered }: Props) {
  const isOurs = message.sender_type !== 'contact'
  const name = senderOf(message)
  return (
    <article
      id={`message-${message.id}`}
      className={classes.message}
      data-ours={isOurs || undefined}
      data-note={message.is_internal || undefined}
      data-email={receivedEmailOf(message) !== null || undefined}
      data-waiting={message.delivery.status === 'scheduled' || undefined}
      data-following={isFollowing || undefined}
      data-found={isFound || undefined}
      aria-label={text.messages.by(name, moment(message.created_at))}
    >
      <div className={classes.face}>
        <Avatar size={28} src={message.sender_avatar_url} name={name} />
      </div>
      <div className={classes.column}>
        {!isFollowing && (
          <p className={classes.who}>
            <strong dir="auto">{name}</strong>
            <IdentityMark identity={message.contact_identity} />
            <time dateTime={message.created_at} title={moment(message.created_at)}>
              {hour(message.created_at)}
            </time>
          </p>
        )}
        <div className={classes.bubble}>
          {message.is_internal && (
            <p className={classes.label}>
              <LockClosedIcon width={12} aria-hidden /> {text.messages.note}
            </p>
          )}
          <WrittenDown message={message} />
          {answered && <Answered message={answered} isForwarded={message.email?.forwarded !== undefined} />}
          {message.email && <EmailHead message={message} email={message.email} />}
          <Content message={message} />
          <MessageMedia media={listFiles(message)} projectId={message.workspace_id} />
          <MessageMenu message={message} isReached={isReached} />
        </div>
        <Reactions message={message} />
        <DeliveryMark message={message} />
      </div>
    </article>
  )
}

/** Inline images of an email are in its text. */
const listFiles = ({ media, email }: Message) =>
  media.filter(({ id }) => !email?.inline_media_ids.includes(id))

/** In notes, mentioned names are highlighted. */
function Content({ message }: { message: Message }) {
  const { content_html, is_internal, workspace_id } = message
  const { data: people = [] } = useQuery({ ...peopleQuery(workspace_id), enabled: is_internal })
  const received = receivedEmailOf(message)
  if (received)
    return (
      <Suspense fallback={<p dir="auto">{message.content}</p>}>
        <EmailBody message={message} email={received} />
      </Suspense>
    )
  if (!content_html) return null
  const names = is_internal ? listCallNames(people).map(([name]) => name) : []
  return <Html html={content_html} names={names.join('\n')} />
}

const Answered = ({ message, isForwarded }: { message: Message; isForwarded: boolean }) => (
  <a className={classes.answered} href={`#message-${message.id}`} onClick={event => show(event, message.id)}>
    <strong>{(isForwarded ? text.forward.forwarded : text.messages.answers)(senderOf(message))}</strong>
    <span dir="auto">{wordsOf(message).slice(0, 140)}</span>
  </a>
)

function show(event: React.MouseEvent, id: string): void {
  event.preventDefault()
  scrollToMessage(id)
}
