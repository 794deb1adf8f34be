import { claimContact, getContact } from '../../contacts/contacts.ts'
import type { Call } from '../../core/endpoint.ts'
import { now, toDatabase } from '../../core/time.ts'
import type { EventData } from '../../events/catalogue.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import { findWidget } from './choices.ts'
import { type IdentityClaim, readIdentityClaim } from './claim.ts'
import type { ChatDeps } from './deps.ts'
import { tokenOf } from './gate.ts'
import { findVisitor, lockVisitor, updateVisitor } from './queries.ts'
import type { Identified, Identifying } from './schema.ts'
import type { Visitor } from './visitor.ts'
import { moveHistoryToContact, verifyHistory } from './visitor-history.ts'
import { browserFieldsOf, createVisitorRow, spendVisitorBudget, toVisitor } from './visitors.ts'

/** Whether the browser keeps its visitor. If its visitor already belongs to another contact, the browser gets a new one. */
const isSameVisitor = (visitor: Visitor | null, contactId: string): visitor is Visitor =>
  visitor !== null &&
  visitor.ticket_id === null &&
  (!visitor.is_identified || visitor.contact_id === contactId)

/**
 * Continues as the same visitor. Once proved to be this contact, the visitor stays proved, even if a later claim has no proof.
 */
async function continueVisitor(
  tx: Tx,
  visitor: Visitor,
  contactId: string,
  claim: IdentityClaim,
  input: Identifying,
) {
  const { isVerified, details } = claim
  if (!visitor.is_identified) await moveHistoryToContact(tx, visitor, contactId)
  if (isVerified && !visitor.is_verified) await verifyHistory(tx, visitor.id, contactId)
  await updateVisitor(tx, tx.projectId, visitor.id, {
    ...browserFieldsOf(input),
    contact_id: contactId,
    identified_at: toDatabase(now()),
    is_verified: visitor.is_verified || isVerified,
    name: details.full_name ?? null,
  })
  return (await findVisitor(tx, tx.projectId, visitor.id))!
}

const startVisitor = (
  tx: Tx,
  contactId: string,
  { isVerified, details }: IdentityClaim,
  input: Identifying,
) =>
  createVisitorRow(tx, tx.projectId, {
    ...browserFieldsOf(input),
    contact_id: contactId,
    identified_at: toDatabase(now()),
    is_verified: isVerified,
    name: details.full_name ?? null,
  })

/** Emits the events about contacts, which only the widget causes: specification §6.5. */
async function emitIdentityEvents(tx: Tx, contactId: string, isNew: boolean): Promise<void> {
  const { id, internal_id, external_id, email, full_name, phone, telegram_id } = await getContact(
    tx,
    tx.projectId,
    contactId,
  )
  const data: EventData<'contact.identified'> = {
    id,
    internal_id,
    external_id,
    email,
    full_name,
    phone,
    telegram_id,
  }
  if (isNew) tx.emit({ type: 'contact.created', data })
  tx.emit({ type: 'contact.identified', data })
}

export async function identify(
  deps: ChatDeps,
  call: Call,
  current: Visitor | null,
  input: Identifying,
): Promise<Identified> {
  await spendVisitorBudget(deps, call)
  const { project, db, request } = call
  const claim = await readIdentityClaim(deps.vault, project.id, await findWidget(db, project.id), input)
  return transact(db, project.id, async tx => {
    const locked = current && (await lockVisitor(tx, project.id, current.id))
    const { id, isNew, conflicts } = await claimContact(tx, claim, 'widget')
    const isSame = isSameVisitor(locked, id)
    const { token, visitor } = isSame
      ? { token: tokenOf(request)!, visitor: await continueVisitor(tx, locked, id, claim, input) }
      : await startVisitor(tx, id, claim, input)
    await emitIdentityEvents(tx, id, isNew)
    return { token, visitor: toVisitor(visitor), is_new_visitor: !isSame, conflicts }
  })
}
