import { isRecord, propertyOf } from '../core/objects.ts'
import type { Tx } from '../events/transaction.ts'
import { foldTag } from './fold.ts'
import { lockViewsWithTags, updateViewConditions } from './queries.ts'

type Rename = (name: unknown) => unknown

/** The condition with the new name of the tag wherever it compares tags. */
function renameIn(node: unknown, rename: Rename): unknown {
  if (Array.isArray(node)) return node.map(one => renameIn(one, rename))
  if (!isRecord(node)) return node
  if (node.field !== 'tags')
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, renameIn(inner, rename)]))
  const names = [propertyOf(node, 'value')].flat().map(rename)
  return { ...node, ...(node.value !== undefined && { value: [...new Set(names)] }) }
}

/** Saved views keep showing the same tickets, in every spelling of the tag. A deleted tag stays in their conditions, and they show that it is missing. */
export async function renameInConditions(tx: Tx, from: string, to: string): Promise<void> {
  const old = foldTag(from)
  const rename: Rename = name => (typeof name === 'string' && foldTag(name) === old ? to : name)
  for (const { id, conditions } of await lockViewsWithTags(tx, tx.projectId)) {
    const next = renameIn(conditions, rename)
    if (JSON.stringify(next) !== JSON.stringify(conditions))
      await updateViewConditions(tx, tx.projectId, id, next)
  }
}
