import type { Tx } from '../events/transaction.ts'
import { verifyIdentities } from './claim.ts'
import { deleteIdentity, insertIdentities, updateIdentitiesVerified } from './identity-queries.ts'
import { lockContactPair, mergeContacts } from './merge.ts'
import { completeContact } from './messenger.ts'
import { findContact, lockContact, updateContact } from './queries.ts'
import { upsertContact } from './upsert.ts'

/** Contacts who write by Telegram. Their accounts are verified by Telegram, and they cause no events. */

export interface TelegramPerson {
  telegram_id: number
  username: string | null
  full_name: string
  language: string | null
}

export interface TelegramContact {
  id: string
  name: string | null
  language: string | null
  phone: string | null
  isBlocked: boolean
}

export async function upsertTelegramContact(tx: Tx, person: TelegramPerson): Promise<TelegramContact> {
  const { telegram_id, username, full_name, language } = person
  const found = await upsertContact(tx, { telegram_id }, 'telegram')
  await verifyIdentities(tx, found, { telegram_id }, 'telegram')
  const old = await completeContact(tx, found.id, { full_name, language }, { telegram_username: username })
  return {
    id: found.id,
    name: old.full_name ?? (full_name || null),
    language: old.language ?? language,
    phone: old.phone,
    isBlocked: found.isBlocked,
  }
}

/** Stores the phone number that a person has shared. */
export async function updateTelegramPhone(tx: Tx, contactId: string, phone: string): Promise<void> {
  await updateContact(tx, contactId, { phone })
}

async function hasTickets(tx: Tx, contactId: string): Promise<boolean> {
  const { count } = await tx`
    select from tickets where project_id = ${tx.projectId} and contact_id = ${contactId} limit 1`
  return count > 0
}

/** Whether the contact has a different Telegram account. If so, a link for the contact is no longer valid for this one. */
export async function hasOtherTelegram(tx: Tx, contactId: string, telegramId: number): Promise<boolean> {
  const { count } = await tx`
    select from contact_identities where project_id = ${tx.projectId} and contact_id = ${contactId}
      and type = 'telegram' and value <> ${String(telegramId)} limit 1`
  return count > 0
}

/**
 * Gives a Telegram account to a contact after the account has opened a link made for that contact. If the account already belongs to
 * a contact that has nothing else, the two are merged, unless that contact has tickets: the person who made the link could then read
 * them. Returns false if the account belongs to somebody else, or if the contact no longer exists.
 */
export async function linkTelegram(tx: Tx, contactId: string, telegramId: number): Promise<boolean> {
  const { projectId } = tx
  const target = await findContact(tx, projectId, contactId)
  if (!target) return false
  const identity = { type: 'telegram' as const, value: String(telegramId) }
  const [taken] = await insertIdentities(tx, projectId, target.id, [identity])
  if (!taken) return false
  if (taken.contact_id !== target.id) {
    const [other] = await lockContactPair(tx, taken.contact_id, target.id)
    if (other.email !== null || other.external_id !== null) return false
    if ((await hasTickets(tx, other.id)) || (await hasOtherTelegram(tx, target.id, telegramId))) return false
    await mergeContacts(tx, projectId, other.id, target.id, { type: 'contact', id: target.id, name: null })
    return true
  }
  const locked = await lockContact(tx, projectId, target.id)
  // Another account may have opened a link for this contact at the same time and been faster.
  if (await hasOtherTelegram(tx, target.id, telegramId)) {
    await deleteIdentity(tx, projectId, target.id, identity)
    return false
  }
  await updateIdentitiesVerified(tx, projectId, target.id, [identity], { how: 'telegram' })
  if (locked?.telegram_id === null) await updateContact(tx, target.id, { telegram_id: telegramId })
  return true
}
