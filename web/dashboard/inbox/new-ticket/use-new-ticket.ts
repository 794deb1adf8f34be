import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useState } from 'react'
import { focusInvalid } from '../../core/form.tsx'
import { draftOf } from '../../messages/draft.ts'
import { senderChoicesQuery } from '../../messages/recipient-queries.ts'
import { useProject } from '../../projects/project.ts'
import { useChannels } from './channels.ts'
import { createTicket, type NewTicketTrouble } from './create.ts'
import {
  changeNewTicket,
  chooseNote,
  discardNewTicket,
  messagePlaceOf,
  type NewTicketPlace,
  type NewTicketValues,
  newTicketOf,
} from './draft.ts'

const noTrouble: NewTicketTrouble = { trouble: null, errors: {} }

/** The mailbox that sends: the chosen one, or the first. */
function useMailboxId({ projectId }: NewTicketPlace, { mailbox_id }: NewTicketValues): string | null {
  const { data = [] } = useQuery(senderChoicesQuery(projectId))
  const senders = data.filter(({ can_send }) => can_send)
  return (senders.find(({ id }) => id === mailbox_id) ?? senders[0])?.id ?? null
}

/** The draft of a new ticket, its errors, and a function that creates the ticket and then opens it. */
export function useNewTicket(place: NewTicketPlace, box: RefObject<HTMLElement | null>, onClose: () => void) {
  const { operatorId } = useProject()
  const navigate = useNavigate()
  const values = newTicketOf(place).use()
  const messagePlace = messagePlaceOf(place, values)
  const draft = draftOf(messagePlace).use()
  const channels = useChannels(place.projectId, values)
  const channel = channels.some(({ value }) => value === values.channel) ? values.channel : 'phone'
  const mailboxId = useMailboxId(place, values)
  const [found, setFound] = useState(noTrouble)
  const [isSending, setSending] = useState(false)
  useEffect(() => focusInvalid(box.current), [box, found])
  const create = async () => {
    if (isSending) return
    setSending(true)
    const order = { place: messagePlace, values, channel, mailboxId, draft, operatorId }
    const result = await createTicket(order)
    setSending(false)
    if (typeof result !== 'string') return setFound(result)
    discardNewTicket(place)
    onClose()
    const params = { projectId: place.projectId, view: 'open', number: result }
    void navigate({ to: '/p/$projectId/inbox/$view/$number', params })
  }
  return {
    ...{ values, channels, channel, mailboxId, messagePlace, draft, isSending, create },
    ...{ errors: found.errors, trouble: found.trouble },
    change(change: Partial<NewTicketValues>): void {
      setFound(noTrouble)
      changeNewTicket(place, change)
    },
    onNote: (isNote: boolean) => chooseNote(place, isNote),
    discard(): void {
      setFound(noTrouble)
      discardNewTicket(place)
    },
  }
}

export type NewTicketForm = ReturnType<typeof useNewTicket>
