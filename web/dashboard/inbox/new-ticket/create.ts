import { filledIn, nameErrorOf } from '../../contacts/new-contact.ts'
import { asFailure } from '../../core/failure.ts'
import { text } from '../../core/text.ts'
import { type Trouble, troubleOf } from '../../messages/composing.ts'
import { type DraftPlace, isEmpty, type MessageDraft } from '../../messages/draft.ts'
import { type NewTicketBody, offerUndoOf, postTicket } from '../../messages/new-email-sending.ts'
import { loadMentionable, notifiedIn } from '../../messages/notified.ts'
import { refreshTickets } from '../../tickets/cache.ts'
import { isRecorded } from './channels.ts'
import type { NewTicketValues } from './draft.ts'

/** Errors by the name of the field in the request, such as `contact.email`. */
export type NewTicketErrors = Record<string, string>

export interface NewTicketTrouble {
  /** Null if every problem is shown at its field. */
  trouble: Trouble | null
  errors: NewTicketErrors
}

/** What is needed to create the ticket. `channel` is one that the contact has. */
export interface NewTicketOrder {
  place: DraftPlace
  values: NewTicketValues
  channel: string
  mailboxId: string | null
  draft: MessageDraft
  operatorId: string
}

const contactErrorsOf = ({ contact, newContact }: NewTicketValues): NewTicketErrors => {
  if (contact) return {}
  if (!newContact) return { contact: text.creating.contactNeeded }
  const error = nameErrorOf(newContact)
  return error ? { 'contact.full_name': error } : {}
}

/** What must be corrected before the ticket can be created. */
export function faultsOf({ place, values, channel, draft }: NewTicketOrder): NewTicketTrouble {
  const errors = contactErrorsOf(values)
  const hasMessage = !isEmpty(draft)
  const isSent = !isRecorded(channel)
  if (channel === 'email' && !place.address) errors.channel = text.creating.noAddress
  if (!isSent && !hasMessage && !values.subject.trim()) errors.subject = text.creating.subjectNeeded
  return { errors, trouble: hasMessage || isSent ? troubleOf(place, draft) : null }
}

const toContact = ({ contact, newContact }: NewTicketValues): NewTicketBody['contact'] => {
  if (contact) return { id: contact.id }
  const { note: _, ...fields } = filledIn(newContact!)
  return { is_new: true, ...fields }
}

function toBody({ place, values, channel, mailboxId, draft, operatorId }: NewTicketOrder): NewTicketBody {
  const { subject, department_id, priority, tags, custom_fields } = values
  const way = channel === 'email' ? { mailbox_id: mailboxId } : { channel }
  return {
    ...{ contact: toContact(values), ...way, subject: subject.trim() || null },
    ...{ department_id, priority, tags, custom_fields },
    operator_id: values.operator_id === undefined ? operatorId : values.operator_id,
    ...(isEmpty(draft) ? {} : { content: draft.content, content_format: 'markdown' }),
    media_ids: draft.files.flatMap(({ media }) => media?.id ?? []),
    ...(!isRecorded(channel) && { status: 'pending', can_undo: true }),
    ...(place.isInternal && { is_internal: true, mentions: notifiedIn(place, draft) }),
  }
}

/** Creates the ticket and returns its number, or what is wrong. */
export async function createTicket(order: NewTicketOrder): Promise<string | NewTicketTrouble> {
  const faults = faultsOf(order)
  if (faults.trouble || Object.keys(faults.errors).length > 0) return faults
  const { projectId } = order.place
  await loadMentionable(order.place, order.draft.content)
  try {
    const { short_id } = await postTicket(order.place, toBody(order))
    void refreshTickets(projectId)
    if (!isRecorded(order.channel)) void offerUndoOf(projectId, short_id).catch(() => null)
    return short_id
  } catch (thrown) {
    const failure = asFailure(thrown)
    const isShown = Object.keys(failure.fields).some(field => shown.some(one => field.startsWith(one)))
    return { errors: failure.fields, trouble: isShown ? null : { words: failure.message } }
  }
}

/** Prefixes of the names of fields that show their own errors. */
const shown = ['contact', 'channel', 'subject', 'mailbox_id']
