import { PlusIcon } from '@heroicons/react/20/solid'
import { useAction } from '../core/actions.ts'
import type { Shape } from '../core/answers.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'

/** What a person creates in a dialog. */
export type Creating = { kind: 'ticket'; contact: Shape<'Contact'> | null } | { kind: 'contact' }

const asked = createStore<Creating | null>(null)

export const useCreating = asked.use

/** The ticket is for the contact, if one is given. */
export const openNewTicket = (contact: Shape<'Contact'> | null = null): void =>
  asked.set({ kind: 'ticket', contact })
export const openNewContact = (): void => asked.set({ kind: 'contact' })
export const closeCreating = (): void => asked.set(null)

/** On the page of a contact, a new ticket is for them. */
export const useNewTicketAction = (contact: Shape<'Contact'> | null): void =>
  useAction({
    id: 'new ticket',
    name: text.creating.newTicket,
    group: text.shell.anywhere,
    keys: 'n t',
    icon: PlusIcon,
    run: () => openNewTicket(contact),
  })
