import { propertyOf } from '../core/objects.ts'
import type { Tx } from '../events/transaction.ts'
import { showEmail } from './claim.ts'
import { detailsOf } from './details.ts'
import { type ContactFields, lockContact, updateContact } from './queries.ts'
import { upsertContact } from './upsert.ts'

/** Contacts who write in messengers. Creating and changing them emits no events. */

type Details = Pick<ContactFields, 'full_name' | 'phone' | 'language' | 'avatar_url'>

/**
 * Fills in empty details only, because people may have corrected the others. `changed` has the fields that the messenger always overwrites.
 * Returns the contact as it was before.
 */
export async function completeContact(tx: Tx, id: string, details: Details, changed: ContactFields = {}) {
  const old = (await lockContact(tx, tx.projectId, id))!
  const missing = Object.entries(details).filter(([field, value]) => value && propertyOf(old, field) === null)
  const differing = Object.entries(changed).filter(([field, value]) => propertyOf(old, field) !== value)
  const fields: ContactFields = Object.fromEntries([...missing, ...differing])
  if (Object.keys(fields).length) await updateContact(tx, id, fields)
  return old
}

/** A person as the program of a custom channel describes them. */
export interface ChannelPerson extends Details {
  channel_id: string
  external_id: string
  /** An unverified address. It is shown if the contact has none, but it is never used to find a contact. */
  email?: string | null
  /** Where a new contact comes from. */
  source: string
}

export interface ChannelWriter {
  id: string
  name: string | null
  language: string | null
  isBlocked: boolean
}

/** Finds the contact only by its id in the channel, or creates it. */
export async function upsertChannelContact(tx: Tx, person: ChannelPerson): Promise<ChannelWriter> {
  const { channel_id, external_id, email, source } = person
  const details = detailsOf(person, ['full_name', 'phone', 'language', 'avatar_url'])
  const identity = { type: 'channel' as const, value: `${channel_id}:${external_id}` }
  const { id, isBlocked } = await upsertContact(tx, {}, source, [identity])
  const old = await completeContact(tx, id, details)
  if (email && old.email === null) await showEmail(tx, id, email)
  return {
    id,
    name: old.full_name ?? (details.full_name || null),
    language: old.language ?? details.language ?? null,
    isBlocked,
  }
}
