import { anyId, type Sql } from '../../core/db/db.ts'
import type { Call } from '../../core/endpoint.ts'
import { ApiError, BriefError, refuse } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../../events/transaction.ts'
import { spendAddressBudget, spendBudget } from '../../limits/rate-limit.ts'
import {
  findStoredMedia,
  inEvent,
  keepUpload,
  type NewMedia,
  original,
  receiveUpload,
  serve,
} from '../../media/media.ts'
import { findWidget } from './choices.ts'
import type { ChatDeps } from './deps.ts'
import { isForVisitor } from './records.ts'
import { partSeenBy, requireUnblocked, seenBy, type Visitor } from './visitor.ts'

/** Files that a visitor may upload per minute. */
const maxFilesPerMinute = 30

/** Visitors may attach only files that they have uploaded themselves. */
export async function requireOwnFiles(
  tx: Tx,
  { id }: Visitor,
  mediaIds: string[] | undefined,
): Promise<void> {
  const ids = [...new Set(mediaIds ?? [])]
  if (ids.length === 0) return
  const own = await tx<{ media_id: string }[]>`
    select media_id from visitor_files where project_id = ${tx.projectId} and visitor_id = ${id}
      and media_id = ${anyId(tx, ids.filter(isId))}`
  const missing = ids.filter(one => !own.some(({ media_id }) => media_id === one))
  if (missing.length) throw refuse('media_ids', 'not_found', { ids: missing })
}

export async function receiveFile(deps: ChatDeps, call: Call<unknown, undefined>, visitor: Visitor) {
  requireUnblocked(visitor)
  const { choices } = await findWidget(call.db, call.project.id)
  if (!choices.takes_files) throw new ApiError('FILES_OFF')
  await spendBudget(deps.limiter, `visitor-files:${visitor.id}`, maxFilesPerMinute)
  await spendAddressBudget(deps.limiter, 'visitor-files', call.request.ip, deps.config.visitorsPerIp)
  const bytes = choices.max_file_mb * 1024 * 1024
  return receiveUpload(deps, call, {
    bytes,
    refuse: () => new ApiError('FILE_TOO_LARGE', { max_bytes: bytes }),
  })
}

export const keepFile = (store: DbOrTx, projectId: string, { id }: Visitor, file: NewMedia) =>
  transact(store, projectId, async tx => {
    const kept = await keepUpload(tx, projectId, file)
    await tx`
      insert into visitor_files (project_id, media_id, visitor_id) values (${projectId}, ${kept.id}, ${id})`
    return inEvent(kept, false)
  })

async function mayRead(sql: Sql, projectId: string, visitor: Visitor, id: string): Promise<boolean> {
  const { count } = await sql`
    select from media f
    left join messages m on m.project_id = f.project_id and m.id = f.message_id
    left join tickets t on t.project_id = m.project_id and t.id = m.ticket_id
    left join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id
    left join visitor_files u on u.project_id = f.project_id and u.media_id = f.id
    where f.project_id = ${projectId} and f.id = ${id} and case when f.message_id is null
      then u.visitor_id = ${visitor.id} else ${isForVisitor(sql)} and ${seenBy(sql, projectId, visitor)} and ${partSeenBy(sql, projectId, visitor)} end`
  return count > 0
}

export async function downloadFile({ storages }: ChatDeps, call: Call, visitor: Visitor) {
  const { db, project, params } = call
  const id = params.media_id!
  const file =
    isId(id) && (await mayRead(db, project.id, visitor, id))
      ? await findStoredMedia(db, project.id, id)
      : null
  if (!file) throw new BriefError('file_not_found')
  return serve(call, storages, file.bucket_id, original(file, true), 'same-origin')
}
