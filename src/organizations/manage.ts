import { recordAudit } from '../audit/audit.ts'
import { differenceOf } from '../audit/difference.ts'
import { isDuplicate } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse, requireVersion } from '../core/errors.ts'
import { changesOf, mergeFields, pick } from '../core/fields.ts'
import { isId, newId } from '../core/ids.ts'
import { stringOf } from '../core/objects.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import { type DbOrTx, type Tx, transact, transactAndRead } from '../events/transaction.ts'
import { readOrganizationDomain } from './domains.ts'
import { foldName, getOrganization } from './find.ts'
import { joinByDomains, removeMembers, stopJoining } from './joins.ts'
import {
  deleteOrganizationDomains,
  insertOrganization,
  insertOrganizationDomains,
  type LockedOrganization,
  listDomainOwners,
  lockOrganization,
  type OrganizationFields,
  updateOrganization,
  updateOrganizationDeleted,
} from './queries.ts'
import type { NewOrganization, Organization, OrganizationChange } from './schema.ts'

const note = (
  tx: Tx,
  { actor }: Caller,
  action: 'created' | 'changed' | 'deleted',
  { id, name }: Pick<LockedOrganization, 'id' | 'name'>,
  detail = {},
) =>
  recordAudit(tx, tx.projectId, actor, `organization.${action}`, { type: 'organization', id, name }, detail)

const nameColumns = (name: string) => ({ name: name.trim(), folded: foldName(name) })

const detailsOf = ({ note, ...sent }: OrganizationChange): OrganizationFields => ({
  ...pick(sent, ['external_id']),
  ...(note !== undefined && { note: note === null ? null : visibleOrNull(note) }),
})

async function write(statement: Promise<unknown>): Promise<void> {
  try {
    await statement
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const isExternal = stringOf(error, 'constraint_name') === 'organizations_external'
    throw refuse(isExternal ? 'external_id' : 'name', 'identifier_taken')
  }
}

const readDomains = (sent: string[]): string[] => [
  ...new Set(sent.map((domain, index) => readOrganizationDomain(domain, `domains.${index}`))),
]

async function addDomains(tx: Tx, id: string, domains: string[]): Promise<void> {
  const taken = await insertOrganizationDomains(tx, tx.projectId, id, domains)
  const refused = domains.filter(domain => !taken.includes(domain))
  const [owner] = refused.length ? await listDomainOwners(tx, tx.projectId, refused) : []
  if (owner) throw refuse('domains', 'domain_taken', { domain: owner.domain, organization_id: owner.id })
  await joinByDomains(tx, id, domains)
}

/** Members of a removed domain stay members. */
async function removeDomains(tx: Tx, id: string, domains: string[]): Promise<void> {
  await deleteOrganizationDomains(tx, tx.projectId, id, domains)
  await stopJoining(tx, domains)
}

export function createOrganization(
  store: DbOrTx,
  caller: Caller,
  input: NewOrganization,
): Promise<Organization> {
  const { id: projectId } = caller.project
  const domains = readDomains(input.domains ?? [])
  const create = async (tx: Tx) => {
    await checkFields(tx, caller, 'organization', input.custom_fields)
    const id = newId()
    const custom_fields = mergeFields({}, input.custom_fields ?? {})
    const fields = { ...nameColumns(input.name), ...detailsOf(input), custom_fields }
    await write(insertOrganization(tx, projectId, id, fields))
    await addDomains(tx, id, domains)
    await note(tx, caller, 'created', { id, name: fields.name }, { domains })
    return id
  }
  return transactAndRead(store, projectId, create, (tx, id) => getOrganization(tx, projectId, id))
}

async function getLocked(tx: Tx, id: string): Promise<LockedOrganization> {
  const row = isId(id) ? await lockOrganization(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('ORGANIZATION_NOT_FOUND')
  return row
}

async function changeDomains(tx: Tx, old: LockedOrganization, wanted: string[]): Promise<boolean> {
  const added = wanted.filter(domain => !old.domains.includes(domain))
  const removed = old.domains.filter(domain => !wanted.includes(domain))
  if (removed.length) await removeDomains(tx, old.id, removed)
  if (added.length) await addDomains(tx, old.id, added)
  return added.length + removed.length > 0
}

export function changeOrganization(
  store: DbOrTx,
  caller: Caller,
  id: string,
  sent: OrganizationChange,
  version: number | null,
): Promise<Organization> {
  const { id: projectId } = caller.project
  const domains = sent.domains && readDomains(sent.domains).sort()
  const change = async (tx: Tx) => {
    const old = await getLocked(tx, id)
    requireVersion(version, old)
    await checkFields(tx, caller, 'organization', sent.custom_fields)
    const { custom_fields } = sent
    const fields: OrganizationFields = {
      ...(sent.name !== undefined && nameColumns(sent.name)),
      ...detailsOf(sent),
      ...(custom_fields && { custom_fields: mergeFields(old.custom_fields, custom_fields) }),
    }
    const changes = changesOf(fields, { ...old, folded: foldName(old.name) })
    const isMoved = domains !== undefined && (await changeDomains(tx, old, domains))
    if (!Object.keys(changes).length && !isMoved) return
    await write(updateOrganization(tx, projectId, id, changes))
    const { folded, ...shown } = changes
    await note(tx, caller, 'changed', old, differenceOf(old, { ...shown, ...(isMoved && { domains }) }) ?? {})
  }
  return transactAndRead(store, projectId, change, tx => getOrganization(tx, projectId, id))
}

/** Its members stay, without an organization. Tickets and contacts are not deleted. */
export const deleteOrganization = (store: DbOrTx, caller: Caller, id: string): Promise<void> =>
  transact(store, caller.project.id, async tx => {
    const old = await getLocked(tx, id)
    await updateOrganizationDeleted(tx, tx.projectId, id)
    await removeMembers(tx, id)
    await note(tx, caller, 'deleted', old)
  })
