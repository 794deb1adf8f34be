import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { BriefError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { listFreeMedia, updateMediaExpiry } from '../media/media.ts'
import { explainMissingMedia, getTicketId, previewOf, requireMedia } from '../messages/messages.ts'
import { type DraftKey, type DraftRow, deleteDraft, listTicketDrafts, updateDraft } from './queries.ts'
import type { DraftInput, Drafts, SavedDraft, TicketDraft } from './schema.ts'

/** Drafts: what a person has typed but not sent. They are on the server, so that no tab or device loses them. */

async function keyOf(sql: Sql, { project, actor }: Caller, reference: string): Promise<DraftKey> {
  return {
    project_id: project.id,
    ticket_id: await getTicketId(sql, project.id, reference),
    operator_id: actor.id,
  }
}

/** Replaces the ids of files by the files. */
export async function showDrafts<T extends DraftRow>(
  sql: Sql,
  projectId: string,
  rows: T[],
): Promise<(Omit<T, 'media_ids'> & Pick<TicketDraft, 'media'>)[]> {
  const ids = rows.flatMap(({ media_ids }) => media_ids)
  const files = ids.length ? await listFreeMedia(sql, projectId, ids) : []
  const filesOf = (media_ids: string[]) => media_ids.flatMap(id => files.find(file => file.id === id) ?? [])
  return rows.map(({ media_ids, ...row }) => ({ ...row, media: filesOf(media_ids) }))
}

function toRow(input: DraftInput): Omit<DraftRow, 'version' | 'updated_at'> {
  const { content, content_format = 'markdown', is_internal = false, media_ids = [], mentions = [] } = input
  const unique = (ids: string[]) => [...new Set(ids)]
  return { content, content_format, is_internal, media_ids: unique(media_ids), mentions: unique(mentions) }
}

/** If two tabs write the same draft, the second gets a conflict, and overwrites the first only on request. */
export async function writeDraft(tx: Tx, key: DraftKey, input: DraftInput): Promise<TicketDraft> {
  const { projectId } = tx
  const row = toRow(input)
  const known = await listFreeMedia(tx, projectId, row.media_ids.filter(isId))
  const missing = row.media_ids.filter(id => !known.some(file => file.id === id))
  requireMedia(await explainMissingMedia(tx, projectId, missing))
  if (!row.mentions.every(isId)) throw refuse('mentions', 'not_found')
  const written = await updateDraft(tx, key, row, input.force ? null : input.version)
  if (!written) throw new BriefError('stale')
  await updateMediaExpiry(tx, projectId, row.media_ids)
  const [shown] = await showDrafts(tx, projectId, [written])
  return shown!
}

export const saveDraft = (
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: DraftInput,
): Promise<SavedDraft> =>
  transact(store, caller.project.id, async tx => {
    const draft = await writeDraft(tx, await keyOf(tx, caller, reference), input)
    return { ...draft, preview: previewOf(draft.content, draft.content_format) }
  })

export async function readDrafts(sql: Sql, caller: Caller, reference: string): Promise<Drafts> {
  const rows = await listTicketDrafts(sql, await keyOf(sql, caller, reference))
  const shown = await showDrafts(sql, caller.project.id, [...rows])
  const of = (isInternal: boolean) => shown.find(({ is_internal }) => is_internal === isInternal) ?? null
  return { reply: of(false), note: of(true) }
}

export async function discardDraft(
  sql: Sql,
  caller: Caller,
  reference: string,
  isInternal = false,
): Promise<void> {
  await deleteDraft(sql, await keyOf(sql, caller, reference), isInternal)
}
