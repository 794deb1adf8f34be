import type { Sql } from '../../../core/db/db.ts'
import type { DeliveryReport } from '../../../mail/bounce.ts'
import { addresseesOf } from '../../../mail/classify.ts'
import type { Mail } from '../../../mail/mail.ts'
import { type OwnId, readOwnId, readReturnPath } from '../../../mail/tokens.ts'
import { findMailIds } from '../incoming/mail-queries.ts'
import { findSentInTicket, findSentTo, listSentMessages } from './report-queries.ts'

/** Finds the message that a report is about. */

export interface ReportSearch {
  sql: Sql
  projectId: string
  key: Buffer
  /** The mailbox that received the report. */
  mailboxId: string
  /** The recipients in the envelope of the report. */
  envelope: string[]
}

export interface ReportedMessage {
  id: string
  /** Whether the report contains an ID or a return path of the message, which strangers cannot guess. */
  isProven: boolean
}

const isOf = (kind: OwnId['kind']) => (own: OwnId | null) => own?.kind === kind

/** The messages that the report names itself: by its return path, or by the ID of the returned email. */
async function listNamed(search: ReportSearch, mail: Mail, { exactIds }: DeliveryReport): Promise<string[]> {
  const { sql, projectId, key, envelope } = search
  const paths = [...envelope, ...addresseesOf(mail.headers)].map(to => readReturnPath(key, to))
  const own = exactIds.map(id => readOwnId(key, id)).filter(isOf('message'))
  const aliases = await findMailIds(sql, projectId, exactIds)
  return [
    ...paths.filter(id => id !== null),
    ...own.map(one => one!.id),
    ...exactIds.flatMap(id => aliases.filter(one => one.mail_id === id).map(one => one.message_id)),
  ]
}

/** The tickets of the thread, for a server that has replaced the Message-ID of the email. */
async function listTickets(
  { sql, projectId, key }: ReportSearch,
  { ids }: DeliveryReport,
): Promise<string[]> {
  const own = ids.map(id => readOwnId(key, id)).filter(isOf('ticket'))
  const known = await findMailIds(sql, projectId, ids)
  return [...new Set([...own.map(one => one!.id), ...known.map(one => one.ticket_id)])]
}

/** `addresses`: the recipients in the report. */
export async function findReported(
  search: ReportSearch,
  mail: Mail,
  report: DeliveryReport,
  addresses: string[],
): Promise<ReportedMessage | null> {
  const { sql, projectId, mailboxId } = search
  const [named] = await listSentMessages(sql, projectId, await listNamed(search, mail, report))
  if (named) return { id: named, isProven: true }
  for (const ticketId of await listTickets(search, report)) {
    const id = await findSentInTicket(sql, projectId, ticketId, addresses)
    if (id) return { id, isProven: true }
  }
  if (report.ids.length > 0) return null
  const id = await findSentTo(sql, projectId, mailboxId, addresses)
  return id ? { id, isProven: false } : null
}
