import { foldEmail, listSpellings } from '../core/email.ts'
import { parseTime, toDatabase } from '../core/time.ts'
import { listStoredAddresses, type NewIdentity } from './contact-queries.ts'
import type { PreparedContact } from './prepare-contacts.ts'
import type { ImportRun } from './run.ts'
import type { ImportedContact } from './schema.ts'

/** The email addresses and other identifiers of imported contacts. */

/** All values of a type, the primary one first. */
function listValues(item: ImportedContact, type: NewIdentity['type']): string[] {
  const { email, emails = [], external_id, telegram_id, identities = [] } = item
  const first = { email: [email, ...emails], external: [external_id], telegram: [telegram_id] }[type]
  const given = first.filter(value => value !== null && value !== undefined && value !== '').map(String)
  const values = [...given, ...identities.filter(one => one.type === type).map(one => one.value)]
  return type === 'telegram' ? values.filter(value => /^\d{1,15}$/.test(value)) : values
}

/** Returns a function that gives the spelling in which an address is or will be stored. */
export async function createEmailSpelling({ tx }: ImportRun, items: ImportedContact[]) {
  const sent = items.flatMap(item => listValues(item, 'email'))
  const spellings = new Map(sent.map(address => [address, listSpellings(address)]))
  const known = sent.length
    ? await listStoredAddresses(tx, tx.projectId, [...new Set([...spellings.values()].flat())])
    : new Set<string>()
  return (address: string): string =>
    spellings.get(address)!.find(spelling => known.has(spelling)) ?? foldEmail(address)
}

/** A contact that was merged into another one has no identities. */
export function toIdentities(
  { item, created_at }: PreparedContact,
  id: string,
  { now, spell }: { now: string; spell: (address: string) => string },
): NewIdentity[] {
  if (item.merged_into) return []
  const spellings = { email: spell, external: String, telegram: (value: string) => String(Number(value)) }
  return (['external', 'telegram', 'email'] as const).flatMap(type => {
    const values = new Set(listValues(item, type).map(spellings[type]))
    return [...values].map((value, at): NewIdentity => {
      const details = item.identities?.find(one => one.type === type && spellings[type](one.value) === value)
      const { is_verified = false, is_undeliverable = false, created_at: since } = details ?? {}
      return {
        ...{ type, value, contact_id: id, is_primary: at === 0, is_verified, is_undeliverable },
        created_at: toDatabase((since && parseTime(since)) || created_at || now),
      }
    })
  })
}

/** The columns of a contact that contain its primary identities. */
export function identityColumns(identities: NewIdentity[]) {
  const first = (type: NewIdentity['type']) => identities.find(one => one.type === type)?.value ?? null
  const telegram = first('telegram')
  return {
    external_id: first('external'),
    email: first('email'),
    telegram_id: telegram === null ? null : Number(telegram),
  }
}

/** A contact that was merged into another one still shows its former identities. */
export const formerColumns = ({ external_id = null, email = null, telegram_id = null }: ImportedContact) => ({
  external_id,
  email,
  telegram_id: telegram_id === null ? null : Number(telegram_id),
})
