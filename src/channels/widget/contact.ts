import { claimContact, createAnonymous, isIdentified } from '../../contacts/contacts.ts'
import type { Tx } from '../../events/transaction.ts'
import type { ContactIdentity } from '../../messages/schema.ts'
import type { Prechat } from './prechat.ts'
import { findVisitor, updateVisitor } from './queries.ts'
import type { Visitor } from './visitor.ts'

/** Finds or creates the contact of a new ticket. */

interface Found {
  id: string
  name: string | null
  is_blocked: boolean
  identity: ContactIdentity
}

/**
 * A typed address proves nothing. The ticket belongs to the contact with that address, but the visitor still sees only tickets
 * started in this browser.
 */
async function findOrMake(tx: Tx, { locale }: Visitor, { name, email, phone }: Prechat): Promise<string> {
  const details = { full_name: name, phone, language: locale }
  if (email === null) return createAnonymous(tx, details, 'widget')
  const claim = { identifiers: { email }, details, isTrusted: false }
  return (await claimContact(tx, claim, 'widget')).id
}

/** How well the writer is identified. Anyone can type another person's address. */
async function identityOf(tx: Tx, { is_verified }: Visitor, contactId: string): Promise<ContactIdentity> {
  if (is_verified) return 'proved'
  return (await isIdentified(tx, tx.projectId, contactId)) ? 'typed' : 'none'
}

export async function contactFor(tx: Tx, visitor: Visitor, prechat: Prechat): Promise<Found> {
  const isKnown = visitor.contact_id !== null && (visitor.is_identified || prechat.email === null)
  const id = isKnown ? visitor.contact_id! : await findOrMake(tx, visitor, prechat)
  const typed = prechat.name ?? prechat.email
  if (id !== visitor.contact_id || (typed && !visitor.is_identified))
    await updateVisitor(tx, tx.projectId, visitor.id, { contact_id: id, ...(typed && { name: typed }) })
  const { is_blocked, name } = (await findVisitor(tx, tx.projectId, visitor.id))!
  return { id, is_blocked, name, identity: await identityOf(tx, visitor, id) }
}
