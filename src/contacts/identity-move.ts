import type { Db, Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { changedBy } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { recordContactAudit } from './contact-audit.ts'
import { getContact } from './find.ts'
import { getIdentity, refreshIdentifiers } from './identity-change.ts'
import { type IdentityRecord, listIdentities, updateIdentityContact } from './identity-queries.ts'
import type { IdentityMove } from './identity-schema.ts'
import { insertTicketMoves, listTicketsOfIdentity, updateChatsOfIdentity } from './identity-targets.ts'
import { lockContactPair, requireTarget } from './merge.ts'
import { briefOf } from './merge-preview.ts'
import { joinByIdentities } from './organization.ts'
import { findContact } from './queries.ts'
import { moveDueTickets } from './ticket-moves.ts'

/** Moving an identity to another contact, with the tickets in which the contact used only this identity. */

async function getPair(sql: Sql, projectId: string, reference: string, into: string) {
  const from = await getContact(sql, projectId, reference)
  if (!isId(into)) throw refuse('into_contact_id', 'not_found')
  if (from.id === into) throw refuse('into_contact_id', 'same')
  return from
}

const countTickets = (tickets: { is_shared: boolean }[]) => ({
  tickets_count: tickets.filter(({ is_shared }) => !is_shared).length,
  shared_tickets_count: tickets.filter(({ is_shared }) => is_shared).length,
})

export async function previewMove(
  db: Db,
  projectId: string,
  [reference, name]: [string, string],
  to: string,
) {
  const from = await getContact(db, projectId, reference)
  const identity = await getIdentity(db, projectId, from.id, name)
  const into = isId(to) ? await findContact(db, projectId, to) : null
  if (!into) throw new ApiError('CONTACT_NOT_FOUND')
  const tickets = await listTicketsOfIdentity(db, projectId, from.id, identity)
  return { identity, from: briefOf(from), into: briefOf(into), ...countTickets(tickets) }
}

async function move(tx: Tx, caller: Caller, found: IdentityRecord, fromId: string, input: IdentityMove) {
  const { projectId } = tx
  const { into_contact_id: to, move_tickets: movesTickets = true } = input
  await requireTarget(tx, projectId, to)
  if (found.type === 'telegram') await updateChatsOfIdentity(tx, fromId, to, found.value)
  const [source, target] = await lockContactPair(tx, fromId, to)
  const identity = await getIdentity(tx, projectId, source.id, `${found.type}:${found.value}`)
  const others = await listIdentities(tx, projectId, target.id)
  const isPrimary = !others.some(one => one.type === identity.type && one.is_primary)
  await updateIdentityContact(tx, projectId, source.id, target.id, { ...identity, is_primary: isPrimary })
  const name = source.telegram_username
  const movesName = identity.type === 'telegram' && identity.is_primary
  await refreshIdentifiers(
    tx,
    source,
    identity.is_primary ? [identity.type] : [],
    movesName ? { telegram_username: null } : {},
  )
  await refreshIdentifiers(tx, target, [], {
    ...(movesName && isPrimary && name !== null && { telegram_username: name }),
    ...(await joinByIdentities(tx, [identity], target)),
  })
  if (movesTickets) {
    const tickets = await listTicketsOfIdentity(tx, projectId, source.id, identity)
    const own = tickets.filter(({ is_shared }) => !is_shared).map(({ id }) => id)
    await insertTicketMoves(tx, changedBy(caller), source.id, target.id, own)
    await moveDueTickets(tx)
    tx.noteDue('merges')
  }
  const detail = { type: identity.type, into_contact_id: to, move_tickets: movesTickets }
  await recordContactAudit(tx, caller, 'identity.moved', source.id, detail)
}

/** Returns the contact that has the identity now. If there are many tickets, most of them follow. */
export function moveIdentity(
  store: DbOrTx,
  caller: Caller,
  [reference, name]: [string, string],
  input: IdentityMove,
) {
  const projectId = caller.project.id
  return transactAndRead(
    store,
    projectId,
    async tx => {
      const from = await getPair(tx, projectId, reference, input.into_contact_id)
      await move(tx, caller, await getIdentity(tx, projectId, from.id, name), from.id, input)
    },
    tx => getContact(tx, projectId, input.into_contact_id),
  )
}
