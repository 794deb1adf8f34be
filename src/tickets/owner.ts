import { createContact, lockNamedContact, requireIdentifier, upsertContact } from '../contacts/contacts.ts'
import type { ContactOfPerson } from '../contacts/schema.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import type { Tx } from '../events/transaction.ts'

/** The contact of a new ticket. */
export interface Owner {
  id: string
  name: string | null
  isBlocked: boolean
}

interface FoundOwner extends Owner {
  language: string | null
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** The id of the contact that was chosen. Beside an identifier, an id is ignored, because programs may send a whole contact. */
const chosenId = ({ id, is_new, email, telegram_id, external_id }: ContactOfPerson): string | null =>
  !is_new && [email, telegram_id, external_id].some(isGiven) ? null : (id ?? null)

export function requireContact(sent: ContactOfPerson): void {
  const { id: _, is_new, ...others } = sent
  const isChosen = chosenId(sent) !== null
  if (!isChosen && !is_new) requireIdentifier(others)
  if (isChosen && (is_new || Object.values(others).some(isGiven))) throw refuse('contact.id', 'with_id')
}

async function lockChosen(tx: Tx, id: string): Promise<FoundOwner> {
  if (!isId(id)) throw refuse('contact.id', 'not_found')
  try {
    const { full_name, email, phone, blocked_at, language, ...contact } = await lockNamedContact(tx, id)
    return { id: contact.id, name: full_name ?? email ?? phone, isBlocked: blocked_at !== null, language }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CONTACT_NOT_FOUND')
      throw refuse('contact.id', 'not_found')
    throw error
  }
}

/** Locks an existing contact, creates a new one, or finds or creates the one with these identifiers. */
export async function findOwner(tx: Tx, caller: Caller, sent: ContactOfPerson): Promise<FoundOwner> {
  const { id: _, is_new, ...fields } = sent
  const chosen = chosenId(sent)
  if (chosen !== null) return lockChosen(tx, chosen)
  await checkFields(tx, caller, 'contact', fields.custom_fields, 'contact.custom_fields')
  const name = visibleOrNull(fields.full_name ?? '') ?? fields.email ?? null
  const language = fields.language ?? null
  if (is_new) {
    const made = await createContact(tx, fields, 'contact.')
    return { id: made, isBlocked: false, name: name ?? fields.phone ?? null, language }
  }
  const { id: found, isBlocked } = await upsertContact(tx, fields, 'api')
  return { id: found, isBlocked, name, language }
}
