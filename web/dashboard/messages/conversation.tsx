import { Button, Center, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type KeyboardEvent, Suspense, useCallback, useEffect, useState } from 'react'
import { Failed } from '../core/failed.tsx'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import classes from './conversation.module.css'
import { dayOf, isFollowing } from './days.ts'
import { MessageItem } from './message.tsx'
import { useOpenPicture } from './open-picture.ts'
import { conversationQuery, type ConversationData as Loaded, loadOlder, type Message } from './queries.ts'
import { useReadingPlace } from './reading-place.ts'
import { useSeen } from './seen.ts'

const Lightbox = lazily(() => import('./lightbox.tsx'))

interface Props {
  projectId: string
  number: string
  ticketId: string
  /** The time after which messages are unread; null if all had been read. */
  readUntil: string | null
  /** The message that a search has found, which is scrolled into view. */
  foundId: string | undefined
}

/** All messages of a ticket, oldest first. */
export function Conversation({ projectId, number, ticketId, readUntil, foundId }: Props) {
  const { data, error, refetch } = useQuery(conversationQuery(projectId, number))
  const { box, content, fresh, onScroll, goDown } = useReadingPlace(data?.items, foundId)
  useEarlier(projectId, number, data, foundId)
  const isPictureOpen = usePictureOpened()
  return (
    <div className={classes.frame}>
      <section
        ref={box}
        className={classes.scroll}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label={text.messages.conversation}
      >
        <div ref={content}>
          {error && !data && <Failed error={error} retry={refetch} />}
          {!data && !error && <Waiting />}
          {data?.hasOlder && <Older projectId={projectId} number={number} />}
          {data && <Log messages={data.items} ticketId={ticketId} readUntil={readUntil} foundId={foundId} />}
        </div>
      </section>
      <Suspense>{isPictureOpen && data && <Lightbox messages={data.items} projectId={projectId} />}</Suspense>
      {fresh > 0 && (
        <Button className={classes.fresh} size="xs" radius="xl" onClick={goDown}>
          {text.messages.newer(fresh)}
        </Button>
      )}
    </div>
  )
}

/** Whether a picture has been opened here. The dialog stays on the page after that, so that it can return the focus. */
function usePictureOpened(): boolean {
  const isOpen = useOpenPicture() !== null
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  return wasOpened
}

/** The most messages to load in search of the found one. */
const maxLoadedMessages = 1_000

/** Loads earlier messages up to the one that a search has found. */
function useEarlier(
  projectId: string,
  number: string,
  data: Loaded | undefined,
  foundId: string | undefined,
): void {
  const isMissing =
    foundId !== undefined &&
    data?.hasOlder === true &&
    data.items.length < maxLoadedMessages &&
    !data.items.some(({ id }) => id === foundId)
  const first = data?.items[0]?.id
  useEffect(() => {
    if (isMissing) void loadOlder(projectId, number).catch(() => undefined)
  }, [projectId, number, isMissing, first])
}

type LogProps = Pick<Props, 'ticketId' | 'readUntil' | 'foundId'> & { messages: Message[] }

function Log({ messages, ticketId, readUntil, foundId }: LogProps) {
  const seen = useSeen(messages, ticketId)
  const byId = new Map(messages.map(message => [message.id, message]))
  const { operatorId } = useProject()
  const isNew = ({ created_at, sender_type, sender_id }: Message) =>
    readUntil !== null && created_at > readUntil && sender_type !== 'system' && sender_id !== operatorId
  const firstNew = messages.findIndex(isNew)
  const last = messages.findLast(({ sender_type }) => sender_type !== 'system')
  return (
    <div
      role="log"
      data-print
      aria-live="polite"
      aria-relevant="additions"
      aria-label={text.messages.conversation}
      onKeyDown={walk}
    >
      {messages.map((message, at) => {
        const before = messages[at - 1]
        const isNewDay = !before || dayOf(before.created_at) !== dayOf(message.created_at)
        return (
          <Fragment key={message.id}>
            {isNewDay && (
              <p className={classes.day} dir="auto">
                {dayOf(message.created_at)}
              </p>
            )}
            {at === firstNew && <p className={classes.unread}>{text.messages.newBelow}</p>}
            <MessageItem
              message={message}
              isReached={message === last}
              isFound={message.id === foundId}
              isFollowing={!isNewDay && at !== firstNew && isFollowing(before, message)}
              answered={message.reply_to_id ? byId.get(message.reply_to_id) : undefined}
            />
            {message.id === seen && (
              <p className={classes.seen} aria-live="off">
                {text.messages.seen}
              </p>
            )}
          </Fragment>
        )
      })}
    </div>
  )
}

/** Arrow keys move from the menu of one message to the next. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const menus = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-message-menu]')]
  const at = menus.indexOf(event.target as HTMLElement)
  const next = event.key === 'ArrowUp' ? menus[at - 1] : event.key === 'ArrowDown' ? menus[at + 1] : undefined
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}

function Older({ projectId, number }: { projectId: string; number: string }) {
  const [isLoading, setLoading] = useState(false)
  const load = useCallback(async () => {
    setLoading(true)
    await loadOlder(projectId, number).finally(() => setLoading(false))
  }, [projectId, number])
  return (
    <Center p="sm">
      <Button variant="subtle" size="xs" loading={isLoading} onClick={load}>
        {text.messages.older}
      </Button>
    </Center>
  )
}

const Waiting = () => (
  <div className={classes.waiting} role="status" aria-label={text.shell.loading}>
    {[70, 50, 85].map(width => (
      <Skeleton key={width} height={46} width={`${width}%`} radius="md" mb="lg" />
    ))}
  </div>
)
