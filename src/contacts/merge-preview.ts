import type { Db } from '../core/db/db.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { only } from '../core/fields.ts'
import { isId } from '../core/ids.ts'
import { listTags } from '../tags/tags.ts'
import { getContact } from './find.ts'
import { listDifferences } from './merge-choice.ts'
import { findUndoEnd, listContactMerges } from './merge-queries.ts'
import type { BriefContact, MergePreview } from './merge-schema.ts'
import { findContact } from './queries.ts'

export const briefOf = (contact: BriefContact): BriefContact =>
  only(contact, ['id', 'full_name', 'email', 'avatar_url', 'is_blocked'])

/** What a merge would do. */
export async function previewMerge(
  db: Db,
  projectId: string,
  reference: string,
  into: string,
): Promise<MergePreview> {
  const source = await getContact(db, projectId, reference)
  const target = isId(into) ? await findContact(db, projectId, into) : null
  if (!target) throw new ApiError('CONTACT_NOT_FOUND')
  if (source.id === target.id) throw refuse('into_contact_id', 'same')
  return {
    from: briefOf(source),
    into: briefOf(target),
    tickets_count: source.tickets_count,
    open_tickets_count: source.open_tickets_count,
    identities: source.identities,
    differences: listDifferences(source, target),
    tags: listTags([...target.tags, ...source.tags]),
    undo_until: await findUndoEnd(db),
  }
}

/** The contacts that were merged into this one and can be separated again. */
export async function listUndoableMerges(db: Db, projectId: string, reference: string) {
  const { id } = await getContact(db, projectId, reference)
  return { items: await listContactMerges(db, projectId, id) }
}
