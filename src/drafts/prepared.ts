import type { Sql } from '../core/db/db.ts'
import { BriefError } from '../core/errors.ts'
import { notifyDraftChange } from '../events/notifier.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { getTicketId } from '../messages/messages.ts'
import { findOperator } from '../operators/operators.ts'
import { showDrafts, writeDraft } from './drafts.ts'
import { type DraftKey, deleteDraft, listReplyDrafts } from './queries.ts'
import type { PreparedDraftInput, ReplyDraft } from './schema.ts'

/** Replies that programs prepare for operators. */

async function keyOf(sql: Sql, projectId: string, reference: string, operatorId: string): Promise<DraftKey> {
  const ticket_id = await getTicketId(sql, projectId, reference)
  const operator = await findOperator(sql, projectId, operatorId)
  if (!operator) throw new BriefError('operator_not_found')
  return { project_id: projectId, ticket_id, operator_id: operator.id }
}

export async function readReplyDrafts(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<{ items: ReplyDraft[] }> {
  const rows = await listReplyDrafts(sql, projectId, await getTicketId(sql, projectId, reference))
  return { items: await showDrafts(sql, projectId, [...rows]) }
}

export function prepareReply(
  store: DbOrTx,
  projectId: string,
  reference: string,
  operatorId: string,
  input: PreparedDraftInput,
): Promise<ReplyDraft> {
  return transact(store, projectId, async tx => {
    const key = await keyOf(tx, projectId, reference, operatorId)
    const draft = await writeDraft(tx, key, { version: 0, ...input, is_internal: false, mentions: [] })
    tx.afterCommit(() => notifyDraftChange(projectId, key.operator_id))
    return { operator_id: key.operator_id, ...draft }
  })
}

export async function deleteReplyDraft(
  sql: Sql,
  projectId: string,
  reference: string,
  operatorId: string,
): Promise<void> {
  const key = await keyOf(sql, projectId, reference, operatorId)
  await deleteDraft(sql, key, false)
  notifyDraftChange(projectId, key.operator_id)
}
