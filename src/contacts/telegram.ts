import type { Tx } from '../events/transaction.ts'
import { verifyIdentities } from './claim.ts'
import { insertIdentities, updateIdentitiesVerified } from './identity-queries.ts'
import { mergeContacts } from './merge.ts'
import { type ContactFields, findContact, lockContact, updateContact } from './queries.ts'
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

/** Names and languages that are known already stay: others may have corrected them. */
export async function upsertTelegramContact(tx: Tx, person: TelegramPerson): Promise<TelegramContact> {
  const { telegram_id, username, full_name, language } = person
  const found = await upsertContact(tx, { telegram_id }, 'telegram')
  await verifyIdentities(tx, found, { telegram_id })
  const old = (await lockContact(tx, tx.projectId, found.id))!
  const fields: ContactFields = {
    ...(old.telegram_username !== username && { telegram_username: username }),
    ...(old.full_name === null && full_name && { full_name }),
    ...(old.language === null && language && { language }),
  }
  if (Object.keys(fields).length) await updateContact(tx, found.id, fields)
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

/** Whether the contact has other accounts than this one. A link for the contact is then no longer valid for this one. */
export async function hasOtherTelegram(tx: Tx, contactId: string, telegramId: number): Promise<boolean> {
  const { count } = await tx`
    select from contact_identities where project_id = ${tx.projectId} and contact_id = ${contactId}
      and type = 'telegram' and value <> ${String(telegramId)} limit 1`
  return count > 0
}

/**
 * Gives a Telegram account to a contact, because the account has opened a link that was made for the contact. A contact of which
 * only the account is known becomes part of the other one, unless it has tickets: whoever made the link could read them. Returns
 * false if the account belongs to somebody else, or the contact is gone.
 */
export async function linkTelegram(tx: Tx, contactId: string, telegramId: number): Promise<boolean> {
  const { projectId } = tx
  const target = await findContact(tx, projectId, contactId)
  if (!target) return false
  const identity = { type: 'telegram' as const, value: String(telegramId) }
  const [taken] = await insertIdentities(tx, projectId, target.id, [identity])
  if (taken?.contact_id !== target.id) {
    const other = taken && (await lockContact(tx, projectId, taken.contact_id))
    if (!other || other.email !== null || other.external_id !== null) return false
    if (await hasTickets(tx, other.id)) return false
    await mergeContacts(tx, projectId, other.id, target.id)
    return true
  }
  await updateIdentitiesVerified(tx, projectId, target.id, [identity])
  const locked = await lockContact(tx, projectId, target.id)
  if (locked?.telegram_id === null) await updateContact(tx, target.id, { telegram_id: telegramId })
  return true
}
