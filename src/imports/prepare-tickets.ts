import { textsOf } from '../custom-fields/custom-fields.ts'
import { subjectOf } from '../messages/messages.ts'
import { createTurns, type Written } from '../words/words.ts'
import { cleanItem, findProblem, readPastTime } from './check-items.ts'
import { contactTexts, type PreparedContact, prepareContact } from './prepare-contacts.ts'
import { messageTexts, type PreparedMessage, prepareMessage } from './prepare-messages.ts'
import { type ImportedTicket, type ImportWarning, importedTicket } from './schema.ts'

/** Checks and converts imported tickets before their transaction begins. */

const pastFields = [
  'created_at',
  'updated_at',
  'rated_at',
  'closed_at',
  'first_reply_at',
  'first_bot_reply_at',
  'last_contact_message_at',
  'last_operator_message_at',
  'waiting_since',
] as const

export type PastField = (typeof pastFields)[number]

export interface PreparedTicket {
  item: ImportedTicket
  problem: string | null
  warnings: ImportWarning[]
  times: Record<PastField, string | null>
  /** The contact, if the item contains it. */
  contact: PreparedContact | null
  messages: PreparedMessage[]
  subject: string
}

/** Messages are checked one by one, so that an invalid one does not prevent the import of the others. */
const withoutMessages = ({ messages: _, ...ticket }: ImportedTicket): object => ticket

async function prepareTicket(sent: ImportedTicket, takeTurn: () => Promise<void>): Promise<PreparedTicket> {
  const item = cleanItem(sent)
  const warnings: ImportWarning[] = []
  const messages: PreparedMessage[] = []
  for (const message of item.messages ?? []) {
    await takeTurn()
    messages.push(prepareMessage(message))
  }
  const contact = typeof item.contact === 'string' ? null : prepareContact(item.contact, 'contact.')
  const times = Object.fromEntries(
    pastFields.map(field => [field, readPastTime(item[field], field, warnings)]),
  )
  const first = messages.find(one => one.problem === null && one.item.author.type !== 'system')?.item
  return {
    item,
    problem: findProblem(importedTicket, withoutMessages(item)),
    warnings: [...warnings, ...(contact?.warnings ?? [])],
    times: { ...noTimes, ...times },
    contact,
    messages,
    subject: subjectOf({
      subject: item.subject,
      content: first?.content,
      content_format: first?.content_format,
    }),
  }
}

const noTimes: PreparedTicket['times'] = {
  created_at: null,
  updated_at: null,
  rated_at: null,
  closed_at: null,
  first_reply_at: null,
  first_bot_reply_at: null,
  last_contact_message_at: null,
  last_operator_message_at: null,
  waiting_since: null,
}

export async function prepareTickets(items: ImportedTicket[]): Promise<PreparedTicket[]> {
  const takeTurn = createTurns()
  const prepared: PreparedTicket[] = []
  for (const item of items) prepared.push(await prepareTicket(item, takeTurn))
  return prepared
}

export function ticketTexts({ item, problem, contact, messages, subject }: PreparedTicket): Written[] {
  if (problem) return []
  const language = item.language ?? contact?.item.language ?? null
  return [
    ...[subject, ...textsOf(item.custom_fields ?? {})].map(text => ({ text, language })),
    ...(contact ? contactTexts(contact) : []),
    ...messages.flatMap(message => messageTexts(message, language)),
  ]
}
