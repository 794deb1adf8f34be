import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Shape } from '../core/answers.ts'
import { asFailure, type Failure } from '../core/failure.ts'
import { printNumber } from '../core/format.ts'
import { showFailure } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { stopTyping } from '../presence/tab-state.ts'
import { refreshTickets } from '../tickets/cache.ts'
import type { Ticket } from '../tickets/queries.ts'
import type { SendWay } from '../users/work-settings.ts'
import { attach, fileOf } from './attach.ts'
import { type DraftPlace, draftOf, isEmpty, keepUnsentRest, type MessageDraft, writeDraft } from './draft.ts'
import { inTurnOf, useDraftSaving } from './draft-saving.ts'
import { answerMessage, useAnswered } from './editing.ts'
import { type EmailErrors, emailErrorsOf } from './email-errors.ts'
import { type ConversationData, conversationQuery, loadNewer } from './queries.ts'
import { findReplyEmail } from './recipient-queries.ts'
import { maxMessageLength, type Order, sendDraft } from './send.ts'
import { offerUndo } from './undo.ts'

interface Options {
  projectId: string
  ticket: Ticket
  isInternal: boolean
  /** Returns whether another ticket or the list was opened. */
  onSent(sent: Sent): boolean
  /** After sending was undone by the toast. */
  onUndone(sent: Sent): void
}

/** What was sent, and how. */
export interface Sent {
  way: SendWay
  /** When it is sent, or until when its ticket is snoozed. */
  until?: string
  message: Shape<'PostedReply'>
}

export interface Trouble {
  words: string
  action?: string
  run?(): void
  /** Errors by field of the email. */
  fields?: EmailErrors
}

type Choice = Partial<Pick<Sent, 'way' | 'until'>> & { isAnyway?: boolean }

const afterReplies: Partial<Record<SendWay, Order['afterReply']>> = {
  close: 'close',
  leave: 'leave',
  snooze: 'leave',
}

/** The reason why a draft cannot be sent as it is; null if it can. */
export function troubleOf(place: DraftPlace, draft: MessageDraft): Trouble | null {
  const { content, files } = draft
  if (content.length > maxMessageLength) {
    const run = () => {
      attach(place, [fileOf(content)])
      writeDraft(place, { content: '' })
    }
    const words = text.composer.tooLong(printNumber(content.length), printNumber(maxMessageLength))
    return { words, action: text.composer.asFile, run }
  }
  const broken = files.find(({ error }) => error)
  if (broken) return { words: broken.error! }
  if (files.some(({ media }) => !media)) return { words: text.composer.waitUpload }
  return isEmpty(draft) ? { words: text.composer.empty } : null
}

function lastSeen(projectId: string, number: string): string | undefined {
  const { queryKey } = conversationQuery(projectId, number)
  // A waiting message may still be undone.
  return queryClient
    .getQueryData<ConversationData>(queryKey)
    ?.items.findLast(({ delivery }) => delivery.status !== 'scheduled')?.id
}

function whoWrote({ detail }: Failure): string {
  const { messages } = detail as { messages: { sender_name: string | null }[] }
  const names = [...new Set(messages.flatMap(({ sender_name }) => sender_name ?? []))]
  const list = new Intl.ListFormat(document.documentElement.lang).format(names)
  return list ? text.composer.newerBy(list) : text.composer.newer
}

/** Whether the component is still mounted, for work that ends later. */
function useShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

/** Posts in sequence with the saving of the draft. Only text written in the meantime stays. */
const post = (order: Order) =>
  inTurnOf(order.place, async () => {
    const posted = await sendDraft(order)
    keepUnsentRest(order.place, order.draft)
    return posted
  })

export type Composing = ReturnType<typeof useComposing>

/** The state and the actions of the editor. */
export function useComposing({ projectId, ticket, isInternal, onSent, onUndone }: Options) {
  const { id: ticketId, short_id: number } = ticket
  const place = useMemo(() => ({ projectId, ticketId, isInternal }), [projectId, ticketId, isInternal])
  const draft = draftOf(place).use()
  useDraftSaving(place, draft)
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const chosen = useAnswered()
  const answered = chosen?.ticket_id === ticketId ? chosen : null
  useEffect(() => setTrouble(null), [draft.content, draft.files, draft.email, isInternal])

  const isShown = useShown()
  const explain = (failure: Failure, again: () => void) => {
    if (!isShown.current) return showFailure(failure, text.inbox.number(number))
    if (failure.code !== 'NEWER_MESSAGES')
      return setTrouble({ words: failure.message, fields: emailErrorsOf(failure) })
    void loadNewer(projectId, number)
    setTrouble({ words: whoWrote(failure), action: text.composer.sendAnyway, run: again })
  }
  const send = async ({ isAnyway, way = 'send', until }: Choice = {}) => {
    if (isSending) return
    const problem = troubleOf(place, draft)
    setTrouble(problem)
    if (problem) return
    setSending(true)
    const lastSeenId = isAnyway || isInternal ? undefined : lastSeen(projectId, number)
    try {
      const email = isInternal ? null : await findReplyEmail(ticket, draft.email)
      const replyToId = answered?.id ?? null
      const ways = { afterReply: afterReplies[way], sendAt: way === 'later' ? until : undefined }
      const message = await post({ place, number, draft, replyToId, email, lastSeenId, ...ways })
      stopTyping()
      answerMessage(null)
      const sent = { way, until, message }
      const isLeft = onSent(sent)
      if (!isInternal && way !== 'later')
        offerUndo(message, { number: isLeft ? number : null, onUndone: () => onUndone(sent) })
      void refreshTickets(projectId, [ticketId])
    } catch (thrown) {
      explain(asFailure(thrown), () => void send({ way, until, isAnyway: true }))
    } finally {
      setSending(false)
    }
  }
  return { place, draft, answered, isSending, trouble, send, isInternal, ticket, projectId }
}
