import { claimContact, createAnonymous, isIdentified } from '../../contacts/contacts.ts'
import type { Tx } from '../../events/transaction.ts'
import type { ContactIdentity } from '../../messages/schema.ts'
import type { Prechat } from './prechat.ts'
import { findVisitor, updateVisitor } from './queries.ts'
import type { Visitor } from './visitor.ts'

/** Whom a new ticket is of. */

interface Found {
  id: string
  name: string | null
  is_blocked: boolean
  identity: ContactIdentity
}

/**
 * An address that was typed proves nothing: the ticket goes to the contact of it, and the visitor still sees only what
 * was begun here.
 */
async function findOrMake(tx: Tx, { locale }: Visitor, { name, email, phone }: Prechat): Promise<string> {
  const details = { full_name: name, phone, language: locale }
  if (email === null) return createAnonymous(tx, details, 'widget')
  const claim = { identifiers: { email }, details, isTrusted: false }
  return (await claimContact(tx, claim, 'widget')).id
}

/** What is known of who writes: an address or an id of theirs may be typed by anybody. */
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
