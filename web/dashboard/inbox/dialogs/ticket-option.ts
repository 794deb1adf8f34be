import type { PickerOption } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { brief } from '../../core/time.ts'
import { contactNameOf } from '../../tickets/names.ts'
import type { Ticket } from '../../tickets/queries.ts'

/** A ticket as an option of a picker: its number and subject, its contact, and the time of the last message. */
export const ticketOption = ({
  id,
  short_id,
  subject,
  contact,
  last_message,
  created_at,
}: Ticket): PickerOption => ({
  id,
  label: `${text.inbox.number(short_id)} ${subject ?? text.inbox.noSubject}`,
  about: `${contactNameOf(contact)}, ${brief(last_message?.created_at ?? created_at)}`,
})
