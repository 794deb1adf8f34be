import type { EventType } from '../../../src/events/catalogue.ts'
import { billingKeys } from '../billing/query-keys.ts'
import { contactKeys } from '../contacts/query-keys.ts'
import type { Key } from '../core/query-key.ts'
import { historyKeys } from '../history/query-keys.ts'
import { messageKeys } from '../messages/query-keys.ts'
import { notificationKeys } from '../notifications/query-keys.ts'
import { operatorKeys } from '../operators/query-keys.ts'
import { telegramBotKeys } from '../telegram-bots/query-keys.ts'
import { ticketKeys } from '../tickets/query-keys.ts'
import { todayKeys } from '../today/query-keys.ts'
import { viewKeys } from '../views/query-keys.ts'

type KeysOf = (projectId: string) => Key[]

const nothing: KeysOf = () => []

const lists: KeysOf = id => [
  ticketKeys.lists(id),
  viewKeys.list(id),
  todayKeys.day(id),
  notificationKeys.unread(id),
  // A message may reopen its ticket.
  historyKeys.all(id),
]

const ofEmails: KeysOf = id => [
  messageKeys.allReplyRecipients(id),
  messageKeys.allParticipants(id),
  messageKeys.allUnreadEmails(id),
]

const afterMessage: KeysOf = id => [...lists(id), ...ofEmails(id), telegramBotKeys.allChats(id)]

const afterTicket: KeysOf = id => [...lists(id), contactKeys.contacts(id), contactKeys.ticketLists(id)]

const afterContact: KeysOf = id => [
  contactKeys.contacts(id),
  contactKeys.lists(id),
  contactKeys.ticketLists(id),
  messageKeys.allReplyRecipients(id),
  messageKeys.allUnreadEmails(id),
]

// The stream does not send these events, so they only make `listLiveKeys` contain the key.
const afterBilling: KeysOf = id => [billingKeys.all(id)]

/** The lists and other queries that an event outdates. A ticket and its conversation are fetched individually. */
const keysByEvent: Record<EventType, KeysOf> = {
  // The contact of a ticket may be new too.
  'ticket.created': id => [...lists(id), ...afterContact(id)],
  'ticket.updated': afterTicket,
  'ticket.assigned': afterTicket,
  'ticket.transferred': afterTicket,
  'ticket.force_taken': afterTicket,
  'ticket.closed': afterTicket,
  'ticket.reopened': afterTicket,
  'ticket.rated': afterTicket,
  'message.created': afterMessage,
  'message.edited': afterMessage,
  'message.reaction.added': nothing,
  'message.reaction.removed': nothing,
  'contact.created': afterContact,
  'contact.identified': afterContact,
  'visitor.reply_waiting': nothing,
  'operator.status.changed': id => [operatorKeys.people(id)],
  'billing.payment_received': afterBilling,
  'billing.payment_failed': afterBilling,
  'billing.plan_renewed': afterBilling,
  'billing.plan_changed': afterBilling,
  'billing.plan_downgraded': afterBilling,
  'billing.balance_low': afterBilling,
  'billing.subscription_expired': afterBilling,
}

/** A newer server may send a type that this page does not know. */
const isKnown = (type: string): type is EventType => Object.hasOwn(keysByEvent, type)

export const listOutdatedKeys = (projectId: string, type: string): Key[] =>
  isKnown(type) ? keysByEvent[type](projectId) : []

/** The keys of all queries that events keep up to date. */
export const listLiveKeys = (projectId: string): Key[] => [
  ticketKeys.tickets(projectId),
  messageKeys.conversations(projectId),
  ...uniqueKeys(Object.values(keysByEvent).flatMap(keysOf => keysOf(projectId))),
]

const uniqueKeys = (keys: Key[]): Key[] => [...new Map(keys.map(key => [JSON.stringify(key), key])).values()]
