import { toDatabase } from '../core/time.ts'
import { foldName, takeFreeDomains } from '../organizations/organizations.ts'
import { createFieldChecker } from './custom-values.ts'
import { makeIdAt } from './ids.ts'
import {
  insertImportedOrganizations,
  listClaimedOrganizations,
  type NewOrganizationRow,
} from './organization-queries.ts'
import type { PreparedOrganization } from './prepare-organizations.ts'
import { findImportedIds } from './put-contacts.ts'
import { insertRecords } from './queries.ts'
import type { ItemReport } from './report.ts'
import type { ImportRun } from './run.ts'

/** Finds or creates imported organizations. */

interface OrganizationToPut {
  prepared: PreparedOrganization
  report: ItemReport
}

/** An organization of the project with the same external id, or else with the same name, takes the place of an imported one. */
async function match(run: ImportRun, fresh: OrganizationToPut[]): Promise<OrganizationToPut[]> {
  const items = fresh.map(({ prepared }) => prepared.item)
  const names = items.map(({ name }) => foldName(name))
  const externalIds = items.flatMap(({ external_id }) => external_id ?? [])
  const known = await listClaimedOrganizations(run.tx, run.tx.projectId, { names, externalIds })
  const byName = new Map(known.map(({ id, folded }) => [folded, id]))
  const byExternalId = new Map(known.map(({ id, external_id }) => [external_id, id]))
  return fresh.filter(({ prepared: { item, created_at }, report }, order) => {
    const { external_id = null } = item
    const owner = (external_id && byExternalId.get(external_id)) || byName.get(names[order]!)
    const id = owner ?? makeIdAt(created_at ?? run.now, order)
    report.settle(owner ? 'matched' : 'created', id)
    byName.set(names[order]!, id)
    if (external_id) byExternalId.set(external_id, id)
    return !owner
  })
}

async function create(run: ImportRun, organizations: OrganizationToPut[]): Promise<void> {
  const { tx } = run
  const check = await createFieldChecker(tx, tx.projectId, 'organization')
  const rows = organizations.map(({ prepared: { item, ...times }, report }): NewOrganizationRow => {
    const createdAt = times.created_at ?? run.now
    return {
      id: report.id!,
      name: item.name.trim(),
      folded: foldName(item.name),
      external_id: item.external_id ?? null,
      note: item.note ?? null,
      custom_fields: check(item.custom_fields ?? {}, report),
      created_at: toDatabase(createdAt),
      updated_at: toDatabase(times.updated_at ?? createdAt),
    }
  })
  await insertImportedOrganizations(tx, tx.projectId, rows)
  for (const { prepared, report } of organizations) {
    const taken = await takeFreeDomains(tx, report.id!, prepared.domains)
    for (const domain of prepared.domains)
      if (!taken.includes(domain)) report.warn('domains', domain, 'domain_taken')
  }
}

/** Finds or creates these organizations. Items with the same `source_id` are the same organization. */
export async function putOrganizations(run: ImportRun, organizations: OrganizationToPut[]): Promise<void> {
  const { tx, source, counts } = run
  const valid = organizations.filter(({ report }) => !report.isSkipped)
  const sourceIdOf = ({ prepared }: OrganizationToPut) => prepared.item.source_id
  const ids = await findImportedIds(run, 'organization', valid.map(sourceIdOf))
  const fresh = new Map<string, OrganizationToPut>()
  for (const one of valid)
    if (!ids.has(sourceIdOf(one)) && !fresh.has(sourceIdOf(one))) fresh.set(sourceIdOf(one), one)
  if (fresh.size) {
    const created = await match(run, [...fresh.values()])
    if (created.length) await create(run, created)
    const records = [...fresh].map(([source_id, one]) => ({
      source_id,
      record_id: one.report.id!,
      is_made: created.includes(one),
    }))
    await insertRecords(tx, tx.projectId, source, 'organization', records)
    for (const { source_id, record_id } of records) ids.set(source_id, record_id)
    counts.organizations += created.length
  }
  for (const one of valid)
    if (one.report.id === null) one.report.settle('existing', ids.get(sourceIdOf(one))!)
}
