import type { NewContactValues } from '../../contacts/new-contact.ts'
import type { Contact } from '../../contacts/queries.ts'
import { createStore, type Store } from '../../core/store.ts'
import { clearDraft, type DraftPlace, draftOf, setDraft } from '../../messages/draft.ts'
import type { TicketChange, TicketPriority } from '../../tickets/queries.ts'

/** The values of a ticket that is being created, stored in this browser. The message is stored as a separate draft. */
export interface NewTicketValues {
  contact: Contact | null
  newContact: NewContactValues | null
  channel: string
  /** Whether the message is a note instead of what the contact said. */
  isNote: boolean
  /** Null means the default. */
  mailbox_id: string | null
  subject: string
  /** Undefined means the person who creates it. */
  operator_id?: string | null
  department_id: string | null
  priority: TicketPriority
  tags: string[]
  custom_fields: NonNullable<TicketChange['custom_fields']>
}

const empty: NewTicketValues = {
  contact: null,
  newContact: null,
  channel: 'phone',
  isNote: false,
  mailbox_id: null,
  subject: '',
  department_id: null,
  priority: 'normal',
  tags: [],
  custom_fields: {},
}

/** Each contact from whose page a ticket is created has its own draft. */
export interface NewTicketPlace {
  projectId: string
  contact: Contact | null
}

const nameOf = ({ projectId, contact }: NewTicketPlace): string =>
  `deskbell-new-ticket ${contact?.id ?? projectId}`

const emptyOf = ({ contact }: NewTicketPlace): NewTicketValues => ({ ...empty, contact })

function readKept(place: NewTicketPlace): NewTicketValues {
  try {
    return { ...emptyOf(place), ...JSON.parse(localStorage.getItem(nameOf(place)) ?? '{}') }
  } catch {
    return emptyOf(place)
  }
}

const stores = new Map<string, Store<NewTicketValues>>()

export function newTicketOf(place: NewTicketPlace): Store<NewTicketValues> {
  const known = stores.get(nameOf(place))
  if (known) return known
  const store = createStore(readKept(place))
  stores.set(nameOf(place), store)
  return store
}

export const isUntouched = (place: NewTicketPlace): boolean =>
  JSON.stringify(newTicketOf(place).get()) === JSON.stringify(emptyOf(place))

export function changeNewTicket(place: NewTicketPlace, change: Partial<NewTicketValues>): void {
  const next = { ...newTicketOf(place).get(), ...change }
  newTicketOf(place).set(next)
  try {
    localStorage.setItem(nameOf(place), JSON.stringify(next))
  } catch {
    // If the browser cannot store it, the draft lasts as long as the page.
  }
}

/** Where the message is kept. */
export const messagePlaceOf = (
  { projectId, contact }: NewTicketPlace,
  { isNote, ...values }: Pick<NewTicketValues, 'isNote' | 'contact' | 'newContact'>,
): DraftPlace => {
  const address = values.contact?.email ?? values.newContact?.email
  const ticketId = `new ticket ${contact?.id ?? projectId}`
  return { projectId, ticketId, isInternal: isNote, ...(address && { address }) }
}

/** Chooses between a note and what the contact said. The text that was already typed stays. */
export function chooseNote(place: NewTicketPlace, isNote: boolean): void {
  const values = newTicketOf(place).get()
  if (values.isNote === isNote) return
  const [from, to] = [messagePlaceOf(place, values), messagePlaceOf(place, { ...values, isNote })]
  setDraft(to, draftOf(from).get())
  clearDraft(from)
  changeNewTicket(place, { isNote })
}

export function discardNewTicket(place: NewTicketPlace): void {
  clearDraft(messagePlaceOf(place, newTicketOf(place).get()))
  newTicketOf(place).set(emptyOf(place))
  localStorage.removeItem(nameOf(place))
}
