import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { ensureTags } from '../tags/tags.ts'
import { changeAndGetContact } from './find.ts'
import { identitiesOf, matchOrder } from './identities.ts'
import { type Identity, insertIdentities } from './identity-queries.ts'
import type { Contact, NewContactOfPerson } from './schema.ts'
import { insertNewContact } from './upsert.ts'

/** Contacts that people create. */

/** Refuses a contact that nobody could find again. */
function requireNameOrIdentifier({ full_name, phone, ...others }: NewContactOfPerson): void {
  const isGiven = (value: string | null | undefined) => visibleOrNull(value ?? '') !== null
  const hasIdentifier = matchOrder.some(([, field]) => others[field] !== undefined && others[field] !== null)
  if (!hasIdentifier && !isGiven(full_name) && !isGiven(phone)) throw refuse('full_name', 'required')
}

/** Refuses identifiers of other contacts. */
async function takeIdentities(tx: Tx, id: string, identities: Identity[], path: string): Promise<void> {
  const owners = await insertIdentities(tx, tx.projectId, id, identities)
  for (const [type, field] of matchOrder) {
    const owner = owners.find(one => one.type === type)?.contact_id ?? id
    if (owner !== id) throw refuse(`${path}${field}`, 'identifier_taken', { contact_id: owner })
  }
}

/** Creates a contact and returns its id. `path` is where the fields are in the request, such as `contact.` */
export async function createContact(tx: Tx, input: NewContactOfPerson, path = ''): Promise<string> {
  requireNameOrIdentifier(input)
  const id = newId()
  const identities = await identitiesOf(tx, tx.projectId, input)
  await takeIdentities(tx, id, identities, path)
  const tags = await ensureTags(tx, tx.projectId, input.tags ?? [])
  await insertNewContact(tx, id, { ...input, tags }, identities, 'operator')
  return id
}

export const createContactOfPerson = (
  store: DbOrTx,
  caller: Caller,
  input: NewContactOfPerson,
): Promise<Contact> =>
  changeAndGetContact(store, caller.project.id, async tx => {
    await checkFields(tx, caller, 'contact', input.custom_fields)
    return createContact(tx, input)
  })
