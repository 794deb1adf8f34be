import { MagnifyingGlassIcon } from '@heroicons/react/20/solid'
import { useDebouncedValue, useDocumentVisibility, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { Empty } from '../core/empty.tsx'
import { asFailure } from '../core/failure.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { usePageTitle } from '../core/page.tsx'
import { preference, usePreferences } from '../core/preferences.ts'
import { Broken, Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { Composer } from '../messages/composer.tsx'
import { Conversation } from '../messages/conversation.tsx'
import { conversationQuery, prefetchConversation } from '../messages/queries.ts'
import { showTicket } from '../presence/tab-state.ts'
import { Typing } from '../presence/viewers.tsx'
import { type Ticket, ticketQuery } from '../tickets/queries.ts'
import { markRead } from './change.ts'
import { finishReply, resumeReply } from './done.ts'
import { useInboxPlace, useNeighbours, useTicketList } from './inbox.ts'
import './print.css'
import type { PanelTab } from './side-panel.tsx'
import classes from './ticket.module.css'
import { TicketHeader } from './ticket-header.tsx'
import { MergedInto, TicketNotices } from './ticket-notices.tsx'

const SidePanel = lazily(() => import('./side-panel.tsx'))
const ChatStart = lazily(() => import('../widget/chat-start.tsx'))
const EditMessage = lazily(() => import('../messages/edit-message.tsx'))
const ForwardMessage = lazily(() => import('../messages/forward-message.tsx'))
const ToastArea = lazily(() => import('../core/toast.tsx'))
const EmailDialog = lazily(() => import('./email-dialog.tsx'))

/** The ticket whose number is in the URL. */
export default function TicketPage() {
  const { projectId, number = '', openTicket } = useInboxPlace()
  // Requested at the same time as the ticket.
  useQuery({ ...conversationQuery(projectId, number), notifyOnChangeProps: [] })
  const { data: ticket, error, refetch } = useQuery(ticketQuery(projectId, number))
  const isById = ticket !== undefined && ticket.short_id !== number
  useEffect(() => {
    if (isById) openTicket(ticket.short_id, true)
  })
  if (ticket && !isById) return <OpenTicket ticket={ticket} />
  if (!error) return <Loading />
  return asFailure(error).status === 404 ? (
    <Empty icon={MagnifyingGlassIcon} title={text.inbox.isGone} about={text.inbox.isGoneAbout} />
  ) : (
    <Broken error={error} reset={refetch} />
  )
}

function OpenTicket({ ticket }: { ticket: Ticket }) {
  const { projectId } = useInboxPlace()
  const { short_id: number } = ticket
  usePageTitle(`${text.inbox.number(number)} ${ticket.subject ?? text.inbox.noSubject}`)
  usePrefetch(projectId, number)
  const readUntil = useReading(ticket)
  const panel = usePanel()
  const foundId = useFoundMessage(number)
  // Renders the conversation first, and the contact panel after it.
  const [beside] = useDebouncedValue(ticket, 60)
  return (
    <div className={classes.beside} data-panel={panel.isOpen || undefined}>
      <article className={classes.ticket} aria-label={ticket.subject ?? text.inbox.noSubject}>
        <TicketHeader ticket={ticket} isPanelOpen={panel.isOpen} onPanel={panel.onToggle} />
        <TicketNotices ticket={ticket} />
        {ticket.channel === 'widget' && (
          <LazyContent>
            <ChatStart ticketId={ticket.id} className={classes.circumstances} />
          </LazyContent>
        )}
        <Conversation
          key={number}
          projectId={projectId}
          number={number}
          ticketId={ticket.id}
          readUntil={readUntil}
          foundId={foundId}
        />
        <LazyContent>
          <ToastArea place="ticket" />
        </LazyContent>
        <Typing ticketId={ticket.id} />
        {ticket.merged_into_id ? (
          <MergedInto key={ticket.id} ticket={ticket} id={ticket.merged_into_id} />
        ) : (
          <Composer
            key={ticket.id}
            projectId={projectId}
            ticket={ticket}
            onSent={sent => finishReply(ticket, sent)}
            onUndone={sent => resumeReply(ticket, sent)}
          />
        )}
      </article>
      <LazyContent>
        <SidePanel ticket={beside} {...panel} />
        <EditMessage />
        <ForwardMessage />
        <EmailDialog />
      </LazyContent>
    </div>
  )
}

/** The message in which the list's search has found its words. */
function useFoundMessage(number: string): string | undefined {
  const { tickets } = useTicketList()
  const places = tickets.find(one => one.short_id === number)?.highlights ?? []
  return places.find(({ message_id }) => message_id !== null)?.message_id ?? undefined
}

/** Open on wide screens until it is closed; on small screens only on request. */
function usePanel() {
  const isWide = useMediaQuery('(min-width: 88em)', true, { getInitialValueInEffect: false })
  const { panel } = usePreferences()
  const [isAsked, setAsked] = useState(false)
  const [tab, setTab] = useState<PanelTab>('contact')
  const isOpen = isWide ? panel : isAsked
  const onToggle = useCallback(
    () => (isWide ? preference.set('panel', !panel) : setAsked(!isAsked)),
    [isWide, panel, isAsked],
  )
  // Not in the panel, so that the key works before the panel has loaded.
  useAction({
    id: 'history',
    name: text.history.title,
    group: text.actions.group,
    keys: 'h',
    run() {
      if (!isOpen) onToggle()
      setTab(isOpen && tab === 'history' ? 'contact' : 'history')
    },
  })
  return { isOpen, onToggle, tab, setTab }
}

/**
 * Reports that the ticket is open here, and marks it as read while the tab is visible. Returns where the
 * unread messages started.
 */
function useReading(ticket: Ticket): string | null {
  const { id, is_unread } = ticket
  const newest = ticket.last_message?.id
  const [read, setRead] = useState<{ id: string; until: string } | null>(null)
  const isSeen = useDocumentVisibility() === 'visible'
  useEffect(() => {
    showTicket(id)
    return () => showTicket(null)
  }, [id])
  const mark = useEffectEvent(async () => {
    const until = await markRead(ticket).catch(() => null)
    if (until) setRead(known => (known?.id === id ? known : { id, until }))
  })
  useEffect(() => {
    if (isSeen && is_unread) void mark()
  }, [id, isSeen, is_unread, newest])
  return read?.id === id ? read.until : null
}

/** Prefetches the tickets that the reader is likely to open next. */
function usePrefetch(projectId: string, number: string): void {
  const { previous, next } = useNeighbours(number)
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const near of [next, previous]) if (near) prefetchConversation(projectId, near.short_id)
    }, 150)
    return () => clearTimeout(timer)
  }, [projectId, next, previous])
}
