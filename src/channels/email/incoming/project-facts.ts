import type { Sql } from '../../../core/db/db.ts'
import { foldEmail } from '../../../core/email.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { listMailboxRows } from '../mailboxes/queries.ts'
import type { ClaimedMail } from './incoming-queries.ts'
import { listOwnIds } from './mail-queries.ts'

/** The project's data that is needed to process an email. */

export interface ProjectFacts {
  name: string
  reopenDays: number
  /** The mailbox that received the email. */
  mailbox: MailboxRow
  /** The addresses and aliases of all mailboxes, in lowercase. */
  allAddresses: string[]
}

export const mailboxAddresses = ({ address, aliases }: Pick<MailboxRow, 'address' | 'aliases'>): string[] =>
  [address, ...aliases].map(one => one.toLowerCase())

/** Null if the mailbox was deleted. If the email is a message, or someone decided to make it one, another mailbox of the project is used instead. */
export async function findProjectFacts(
  sql: Sql,
  {
    project_id: projectId,
    mailbox_id,
    decision,
    message_id,
  }: Pick<ClaimedMail, 'project_id' | 'mailbox_id' | 'decision' | 'message_id'>,
): Promise<ProjectFacts | null> {
  const rows = await listMailboxRows(sql, projectId)
  const isDecided = message_id !== null || (decision !== null && decision.kind !== 'reparse')
  const mailbox = rows.find(row => row.id === mailbox_id) ?? (isDecided ? rows[0] : undefined)
  if (!mailbox) return null
  const [project] = await sql<{ name: string; reopen_days: number }[]>`
    select name, reopen_days from projects where id = ${projectId}`
  return {
    name: project!.name,
    reopenDays: project!.reopen_days,
    mailbox,
    allAddresses: rows.flatMap(mailboxAddresses),
  }
}

export interface MailOperator {
  id: string
  name: string
  email: string
  avatar_url: string | null
  role: 'operator' | 'admin' | 'owner'
}

/** The operator with this address; null if there is none. */
export async function findOperatorByAddress(sql: Sql, projectId: string, address: string) {
  const [row] = await sql<MailOperator[]>`
    select id, name, email, avatar_url, role from operators
    where project_id = ${projectId} and lower(email) = ${foldEmail(address)} and removed_at is null limit 1`
  return row ?? null
}

/** Returns a function that checks whether the project sent the email with one of these IDs. `exceptId`: the email's own message. */
export async function recognise(
  sql: Sql,
  projectId: string,
  ids: string[],
  isSigned: (id: string) => boolean,
  exceptId: string | null,
) {
  const known = new Set(await listOwnIds(sql, projectId, ids, exceptId))
  return (id: string): boolean => isSigned(id) || known.has(id)
}
