import { claimContact, getContact } from '../../contacts/contacts.ts'
import type { Call } from '../../core/endpoint.ts'
import { now, toDatabase } from '../../core/time.ts'
import type { EventData } from '../../events/catalogue.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import { findWidget } from './choices.ts'
import { type Claimed, readClaim } from './claim.ts'
import type { ChatDeps } from './deps.ts'
import { tokenOf } from './gate.ts'
import { joinHistory, proveHistory } from './join.ts'
import { findVisitor, lockVisitor, updateVisitor } from './queries.ts'
import type { Identified, Identifying } from './schema.ts'
import type { Visitor } from './visitor.ts'
import { makeVisitor, placeOf, spendBeginning, toVisitor } from './visitors.ts'

/** Whether the browser keeps its visitor. If its visitor already belongs to another contact, it gets a new one. */
const goesOn = (visitor: Visitor | null, contactId: string): visitor is Visitor =>
  visitor !== null &&
  visitor.ticket_id === null &&
  (!visitor.is_identified || visitor.contact_id === contactId)

/** Continues as the same visitor. Once proved to be this contact, the visitor stays proved, whatever is claimed later without proof. */
async function goOn(tx: Tx, visitor: Visitor, contactId: string, claim: Claimed, input: Identifying) {
  const { isVerified, details } = claim
  if (!visitor.is_identified) await joinHistory(tx, visitor, contactId)
  if (isVerified && !visitor.is_verified) await proveHistory(tx, visitor.id, contactId)
  await updateVisitor(tx, tx.projectId, visitor.id, {
    ...placeOf(input),
    contact_id: contactId,
    identified_at: toDatabase(now()),
    is_verified: visitor.is_verified || isVerified,
    name: details.full_name ?? null,
  })
  return (await findVisitor(tx, tx.projectId, visitor.id))!
}

const beginAnew = (tx: Tx, contactId: string, { isVerified, details }: Claimed, input: Identifying) =>
  makeVisitor(tx, tx.projectId, {
    ...placeOf(input),
    contact_id: contactId,
    identified_at: toDatabase(now()),
    is_verified: isVerified,
    name: details.full_name ?? null,
  })

/** Emits the events about contacts, which only the widget causes: specification §6.5. */
async function tell(tx: Tx, contactId: string, isNew: boolean): Promise<void> {
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
  await spendBeginning(deps, call)
  const { project, db, request } = call
  const claim = await readClaim(deps.vault, project.id, await findWidget(db, project.id), input)
  return transact(db, project.id, async tx => {
    const locked = current && (await lockVisitor(tx, project.id, current.id))
    const { id, isNew, conflicts } = await claimContact(tx, claim, 'widget')
    const stays = goesOn(locked, id)
    const { token, visitor } = stays
      ? { token: tokenOf(request)!, visitor: await goOn(tx, locked, id, claim, input) }
      : await beginAnew(tx, id, claim, input)
    await tell(tx, id, isNew)
    return { token, visitor: toVisitor(visitor), is_new_visitor: !stays, conflicts }
  })
}
