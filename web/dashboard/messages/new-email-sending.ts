import { useEffect, useState } from 'react'
import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { refreshTickets } from '../tickets/cache.ts'
import { type Trouble, troubleOf } from './composing.ts'
import {
  clearDraft,
  type DraftPlace,
  draftOf,
  type EmailValues,
  type MessageDraft,
  setDraft,
} from './draft.ts'
import { type EmailErrors, emailErrorsOf } from './email-errors.ts'
import { conversationQuery } from './queries.ts'
import { lookWhenSent, undoSecondsOf } from './send.ts'
import { offerUndo } from './undo.ts'

export type NewTicketBody =
  paths['/projects/{project_id}/tickets']['post']['requestBody']['content']['application/json']

const toTicket = ({ content, files }: MessageDraft, email: EmailValues, operator_id: string) => {
  const { mailbox_id, to, cc, bcc, subject } = email
  return {
    contact: { email: to[0]! },
    email: { to, cc, bcc },
    mailbox_id,
    subject: subject.trim(),
    content,
    content_format: 'markdown' as const,
    media_ids: files.flatMap(({ media }) => media?.id ?? []),
    operator_id,
    status: 'pending' as const,
    can_undo: true,
  }
}

/** Repeats a request whose response was lost with the same idempotency key, so that the email is not sent twice. */
export async function postTicket(place: DraftPlace, body: NewTicketBody): Promise<Shape<'Ticket'>> {
  const { attempt } = draftOf(place).get()
  const sent = JSON.stringify(body)
  const key = attempt?.body === sent ? attempt.key : newId()
  setDraft(place, { attempt: { key, body: sent } })
  const params = { path: { project_id: place.projectId } }
  try {
    return await take(
      api.POST('/projects/{project_id}/tickets', { params, headers: { 'idempotency-key': key }, body }),
    )
  } catch (thrown) {
    if (!asFailure(thrown).isOffline) setDraft(place, { attempt: null })
    throw thrown
  }
}

function errorsOf({ to, mailbox_id, subject }: EmailValues): EmailErrors | undefined {
  if (mailbox_id === null) return { mailbox_id: text.emailFields.mailboxNeeded }
  if (to.length === 0) return { to: text.emailFields.recipientNeeded }
  return subject.trim() ? undefined : { subject: text.actions.subjectNeeded }
}

/** Undoing the email puts it into the editor of its ticket. */
export async function offerUndoOf(projectId: string, number: string): Promise<void> {
  const { items } = await queryClient.fetchQuery(conversationQuery(projectId, number))
  const [message] = items
  if (message?.delivery.status !== 'scheduled') return
  offerUndo(message)
  lookWhenSent(projectId, number, undoSecondsOf(message))
}

/** Sends an email that starts a ticket. */
export function useNewEmail(
  place: DraftPlace,
  draft: MessageDraft,
  email: EmailValues,
  onSent: (number: string) => void,
) {
  const { operatorId } = useProject()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [isSending, setSending] = useState(false)
  useEffect(() => setTrouble(null), [draft.content, draft.files, draft.email])
  const send = async () => {
    if (isSending) return
    const fields = errorsOf(email)
    const problem = fields ? { words: '', fields } : troubleOf(place, draft)
    setTrouble(problem)
    if (problem) return
    setSending(true)
    try {
      const { short_id } = await postTicket(place, toTicket(draft, email, operatorId))
      clearDraft(place)
      void refreshTickets(place.projectId)
      onSent(short_id)
      void offerUndoOf(place.projectId, short_id).catch(() => null)
    } catch (thrown) {
      const failure = asFailure(thrown)
      setTrouble({ words: failure.message, fields: emailErrorsOf(failure) })
    } finally {
      setSending(false)
    }
  }
  return { trouble, isSending, send }
}
