import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { BriefError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { listFreeMedia, updateMediaExpiry } from '../media/media.ts'
import { explainMissingMedia, getTicketId, requireMedia } from '../messages/messages.ts'
import { type DraftKey, type DraftRow, deleteDraft, listTicketDrafts, updateDraft } from './queries.ts'
import type { DraftInput, Drafts, TicketDraft } from './schema.ts'

/** Drafts: what a person has typed but not sent. They are on the server, so that no tab or device loses them. */

async function keyOf(sql: Sql, { project, actor }: Caller, reference: string): Promise<DraftKey> {
  return {
    project_id: project.id,
    ticket_id: await getTicketId(sql, project.id, reference),
    operator_id: actor.id,
  }
}

async function show(sql: Sql, projectId: string, { media_ids, ...row }: DraftRow): Promise<TicketDraft> {
  const files = media_ids.length ? await listFreeMedia(sql, projectId, media_ids) : []
  return { ...row, media: media_ids.flatMap(id => files.find(file => file.id === id) ?? []) }
}

function toRow(input: DraftInput): Omit<DraftRow, 'version' | 'updated_at'> {
  const { content, content_format = 'markdown', is_internal = false, media_ids = [], mentions = [] } = input
  const unique = (ids: string[]) => [...new Set(ids)]
  return { content, content_format, is_internal, media_ids: unique(media_ids), mentions: unique(mentions) }
}

/** If two tabs write the same draft, the second gets a conflict, and overwrites the first only on request. */
export function saveDraft(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: DraftInput,
): Promise<TicketDraft> {
  const projectId = caller.project.id
  const row = toRow(input)
  return transact(store, projectId, async tx => {
    const key = await keyOf(tx, caller, reference)
    const known = await listFreeMedia(tx, projectId, row.media_ids.filter(isId))
    const missing = row.media_ids.filter(id => !known.some(file => file.id === id))
    requireMedia(await explainMissingMedia(tx, projectId, missing))
    if (!row.mentions.every(isId)) throw refuse('mentions', 'not_found')
    const written = await updateDraft(tx, key, row, input.force ? null : input.version)
    if (!written) throw new BriefError('stale')
    await updateMediaExpiry(tx, projectId, row.media_ids)
    return show(tx, projectId, written)
  })
}

export async function readDrafts(sql: Sql, caller: Caller, reference: string): Promise<Drafts> {
  const rows = await listTicketDrafts(sql, await keyOf(sql, caller, reference))
  const of = async (isInternal: boolean) => {
    const row = rows.find(({ is_internal }) => is_internal === isInternal)
    return row ? show(sql, caller.project.id, row) : null
  }
  return { reply: await of(false), note: await of(true) }
}

export async function discardDraft(
  sql: Sql,
  caller: Caller,
  reference: string,
  isInternal = false,
): Promise<void> {
  await deleteDraft(sql, await keyOf(sql, caller, reference), isInternal)
}
