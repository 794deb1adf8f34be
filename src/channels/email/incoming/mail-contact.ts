import { findContactByEmail, upsertContact, verifyIdentities } from '../../../contacts/contacts.ts'
import type { Sql } from '../../../core/db/db.ts'
import type { Caller } from '../../../core/endpoint.ts'
import type { Tx } from '../../../events/transaction.ts'
import type { MailAddress } from '../../../mail/mail.ts'

/** The contact who wrote an email. */

/** Thrown if the contact is blocked, in which case no ticket is opened. */
export class ContactBlocked extends Error {}

async function findContactName(sql: Sql, projectId: string, address: string): Promise<string | null> {
  const id = await findContactByEmail(sql, projectId, address)
  if (id === null) return null
  const [row] = await sql<{ full_name: string | null }[]>`
    select full_name from contacts where project_id = ${projectId} and id = ${id}`
  return row?.full_name ?? null
}

export interface Author {
  caller: Caller
  id: string
  name: string | null
}

interface Trust {
  mayBeBlocked?: boolean
  /** Whether the email proves that its author owns the address. */
  isProved?: boolean
}

/** The contact with this address. The sender's name is used only if the contact has none, because senders can claim any name. */
export async function contactOf(
  tx: Tx,
  project: Caller['project'],
  { address, name }: MailAddress,
  { mayBeBlocked = false, isProved = false }: Trust = {},
): Promise<Author> {
  const knownName = await findContactName(tx, tx.projectId, address)
  const isNamed = name !== null && knownName === null
  const found = await upsertContact(tx, { email: address, ...(isNamed && { full_name: name }) }, 'email')
  const { id, isBlocked } = found
  if (isBlocked && !mayBeBlocked) throw new ContactBlocked()
  if (isProved) await verifyIdentities(tx, found, { email: address }, 'email')
  const shown = knownName ?? name ?? address
  return {
    id,
    name: shown,
    caller: { project, actor: { type: 'contact', id, name: shown, visitor_id: id } },
  }
}
