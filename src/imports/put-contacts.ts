import {
  type ClaimedIdentity,
  deleteClaims,
  insertClaims,
  insertImportedContacts,
  type NewContactRow,
  type NewIdentity,
} from './contact-queries.ts'
import { type CheckedFields, createFieldChecker } from './custom-values.ts'
import { createEmailSpelling, formerColumns, identityColumns, toIdentities } from './identities.ts'
import { makeIdAt } from './ids.ts'
import { createMembershipFinder, type MembershipFinder } from './memberships.ts'
import { findMergeTargets } from './merge-targets.ts'
import type { ImportedMembership } from './organization-schema.ts'
import { contactColumns, type PreparedContact, printImportedContact } from './prepare-contacts.ts'
import { insertRecords, listRecords } from './queries.ts'
import type { ItemReport } from './report.ts'
import type { ImportRun } from './run.ts'
import { createTagSpelling } from './tag-spelling.ts'

/** Finds or creates imported contacts. */

export interface ContactToPut {
  prepared: PreparedContact
  report: ItemReport
  membership?: ImportedMembership | null
}

interface Candidate extends ContactToPut {
  id: string
  identities: NewIdentity[]
}

/** The ids of contacts that were imported before, by their ids in the other system. */
export async function findImportedIds(
  { tx, source }: ImportRun,
  kind: 'contact' | 'organization' | 'ticket' | 'message',
  sourceIds: Iterable<string>,
): Promise<Map<string, string>> {
  const ids = [...new Set(sourceIds)]
  const rows = ids.length ? await listRecords(tx, tx.projectId, source, kind, ids) : []
  return new Map(rows.map(({ source_id, record_id }) => [source_id, record_id]))
}

const keyOf = ({ type, value }: Pick<ClaimedIdentity, 'type' | 'value'>): string => `${type} ${value}`

/** Claims the identities of all candidates, and returns the owner of each. The first candidate with an identity gets it. */
async function claim({ tx }: ImportRun, candidates: Candidate[]): Promise<Map<string, string>> {
  const wanted = new Map<string, NewIdentity>()
  for (const identity of candidates.flatMap(one => one.identities))
    if (!wanted.has(keyOf(identity))) wanted.set(keyOf(identity), identity)
  const rows = wanted.size ? await insertClaims(tx, tx.projectId, [...wanted.values()]) : []
  return new Map(rows.map(row => [keyOf(row), row.contact_id]))
}

/** Finds the contacts that already have one of the identities. They stay unchanged. Returns the candidates to create. */
async function match(run: ImportRun, candidates: Candidate[]): Promise<Candidate[]> {
  const owners = await claim(run, candidates)
  /** The contact that takes the place of a candidate. */
  const instead = new Map<string, string>()
  for (const { id, identities, report } of candidates) {
    const owner = identities.map(identity => owners.get(keyOf(identity))!).find(one => one !== id)
    if (owner === undefined) report.settle('created', id)
    else {
      instead.set(id, instead.get(owner) ?? owner)
      report.settle('matched', instead.get(id)!)
    }
  }
  if (instead.size) await deleteClaims(run.tx, run.tx.projectId, [...instead.keys()])
  return candidates.filter(({ id }) => !instead.has(id))
}

const listAddresses = ({ identities }: Pick<Candidate, 'identities'>): string[] =>
  identities.filter(({ type }) => type === 'email').map(({ value }) => value)

async function create(
  run: ImportRun,
  candidates: Candidate[],
  ids: Map<string, string>,
  { check, findMembership }: { check: CheckedFields; findMembership: MembershipFinder },
): Promise<void> {
  const { tx } = run
  const spellTags = await createTagSpelling(
    run,
    candidates.flatMap(({ prepared }) => prepared.item.tags ?? []),
  )
  const merged = candidates.flatMap(({ id, prepared: { item } }) =>
    item.merged_into ? [{ id, into: ids.get(item.merged_into) ?? null }] : [],
  )
  const targets = await findMergeTargets(run, merged)
  const rows = candidates.map(({ id, prepared, report, identities, membership = null }): NewContactRow => {
    const { item } = prepared
    const target = targets.get(id) ?? null
    if (item.merged_into && target === null) report.warn('merged_into', item.merged_into, 'not_found')
    const columns = {
      ...(item.merged_into ? formerColumns(item) : identityColumns(identities)),
      ...contactColumns(prepared, run.now, check(item.custom_fields ?? {}, report)),
    }
    const search = printImportedContact(columns)
    return {
      id,
      ...columns,
      search,
      tags: spellTags(item.tags ?? []),
      ...findMembership(membership, listAddresses({ identities })),
      merged_into_id: target,
    }
  })
  await insertImportedContacts(tx, tx.projectId, rows)
}

/** Finds or creates these contacts, and returns their ids by `source_id`. Items with the same `source_id` are the same contact. */
export async function putContacts(run: ImportRun, contacts: ContactToPut[]): Promise<Map<string, string>> {
  const { tx, source, counts } = run
  const sourceIds = contacts.flatMap(({ prepared: { item } }) => [
    item.source_id,
    ...(item.merged_into ? [item.merged_into] : []),
  ])
  const ids = await findImportedIds(run, 'contact', sourceIds)
  const valid = contacts.filter(({ report }) => !report.isSkipped)
  const fresh = new Map<string, ContactToPut>()
  for (const one of valid) {
    const { source_id } = one.prepared.item
    if (!ids.has(source_id) && !fresh.has(source_id)) fresh.set(source_id, one)
  }
  const spell = await createEmailSpelling(
    run,
    [...fresh.values()].map(({ prepared }) => prepared.item),
  )
  const candidates = [...fresh.values()].map((one, order): Candidate => {
    const id = makeIdAt(one.prepared.created_at ?? run.now, order)
    return { ...one, id, identities: toIdentities(one.prepared, id, { now: run.now, spell }) }
  })
  const findMembership = await createMembershipFinder(
    run,
    candidates.map(one => ({ membership: one.membership ?? null, addresses: listAddresses(one) })),
  )
  const created = await match(run, candidates)
  for (const { prepared, report } of candidates) ids.set(prepared.item.source_id, report.id!)
  if (created.length) {
    const check = await createFieldChecker(tx, tx.projectId, 'contact')
    await create(run, created, ids, { check, findMembership })
  }
  const made = new Set(created.map(({ id }) => id))
  const records = candidates.map(({ prepared, report }) => {
    const record_id = report.id!
    return {
      source_id: prepared.item.source_id,
      record_id,
      is_made: made.has(record_id) && report.status === 'created',
    }
  })
  if (records.length) await insertRecords(tx, tx.projectId, source, 'contact', records)
  counts.contacts += created.length
  counts.matched_contacts += candidates.length - created.length
  for (const { prepared, report } of valid)
    if (report.id === null) report.settle('existing', ids.get(prepared.item.source_id)!)
  return ids
}
