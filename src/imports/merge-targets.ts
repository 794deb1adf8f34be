import { listKnownContacts, lockSurvivors } from './contact-queries.ts'
import type { ImportRun } from './run.ts'

/** Contacts of the other system that were merged into others. */

export interface MergedContact {
  id: string
  /** The id here of the contact into which it was merged; null if it is unknown. */
  into: string | null
}

/**
 * For each contact, the one that is left after all merges, as a merge here makes it. Null if there is none, also because contacts were
 * merged in a circle: their tickets would be moved from one to the other forever.
 */
export async function findMergeTargets(
  { tx }: ImportRun,
  merged: MergedContact[],
): Promise<Map<string, string | null>> {
  const next = new Map(merged.map(({ id, into }) => [id, into]))
  const others = [...new Set(next.values())].filter(id => id !== null).filter(id => !next.has(id))
  if (others.length) await lockSurvivors(tx, tx.projectId, others)
  for (const { id, survivor_id } of others.length ? await listKnownContacts(tx, tx.projectId, others) : [])
    if (id !== survivor_id) next.set(id, survivor_id)
  const follow = (id: string): string | null => {
    const passed = new Set<string>()
    for (let at: string | null = id; at !== null; at = next.get(at)!) {
      if (!next.has(at)) return at
      if (passed.has(at)) return null
      passed.add(at)
    }
    return null
  }
  return new Map(merged.map(({ id }) => [id, follow(id)]))
}
