import type { Sql } from '../../../core/db/db.ts'
import { foldEmail, isEmail } from '../../../core/email.ts'
import { type FoundRecipient, listRecipients } from './queries.ts'

/** `name@` for `name+tag@`; null if there is no tag. */
export function withoutTag(address: string): string | null {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : null
}

/** The address with and without its tags: `a@`, `a+b@` and `a+b+c@` for `a+b+c@`. */
export function listAddressVariants(given: string): string[] {
  const [local = '', domain = ''] = foldEmail(given).split(/@(?=[^@]*$)/)
  const parts = local.split('+')
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('+')}@${domain}`)
}

/** Whether an address is one of these, or one of them with tags, as reply addresses are. */
export function makeAddressCheck(addresses: string[]): (address: string) => boolean {
  const known = new Set(addresses.map(foldEmail))
  return given => listAddressVariants(given).some(one => known.has(one))
}

/** The mailbox of the kind `listen` with this address, otherwise the one whose address matches without the tag. */
export async function findRecipient(sql: Sql, given: string): Promise<FoundRecipient | null> {
  if (!isEmail(given)) return null
  const address = foldEmail(given)
  const base = withoutTag(address)
  const rows = await listRecipients(sql, base ? [address, base] : [address])
  return rows.find(row => row.address === address) ?? rows[0] ?? null
}
