import { recordAudit } from '../audit/audit.ts'
import { requireQuota } from '../core/async/quota.ts'
import { isDuplicate, type Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse, requireVersion } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId, newId } from '../core/ids.ts'
import { readPlainPieces } from '../core/words/pieces.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { lockDepartmentRow } from '../operators/operators.ts'
import { ask, printQuestion, reindex } from '../words/words.ts'
import { indexedAnswers } from './indexed.ts'
import {
  type AnswerReader,
  countCannedAnswers,
  deleteCannedAnswer,
  findCannedAnswer,
  insertCannedAnswer,
  listCannedAnswers,
  lockCannedAnswer,
  updateCannedAnswer,
} from './queries.ts'
import type {
  CannedAnswer,
  CannedAnswerChange,
  CannedAnswerQuery,
  ListedCannedAnswer,
  NewCannedAnswer,
} from './schema.ts'

/** Canned answers: texts that are written once and sent often. */

/** The limit for the personal answers of each person, and for the shared ones. One response lists them all. */
const maxAnswers = 500

const isAdmin = ({ actor }: Caller): boolean => actor.type !== 'operator' || actor.role !== 'operator'

const readerOf = (caller: Caller): AnswerReader => ({
  project_id: caller.project.id,
  operator_id: caller.actor.id,
  is_admin: isAdmin(caller),
})

/** Only admins may write shared answers. */
function requireShare(caller: Caller, scope: CannedAnswer['scope']): void {
  if (scope === 'shared' && !isAdmin(caller)) throw new ApiError('ROLE_REQUIRED', { role: 'admin' })
}

const noteAnswer = async (
  tx: Tx,
  { actor }: Caller,
  action: 'created' | 'changed' | 'deleted',
  answer: CannedAnswer,
): Promise<void> => {
  if (answer.scope !== 'shared') return
  const target = { type: 'canned_answer', id: answer.id, name: answer.shortcut }
  await recordAudit(tx, tx.projectId, actor, `canned_answer.${action}`, target)
}

async function requireDepartment(tx: Tx, scope: CannedAnswer['scope'], id: string | null | undefined) {
  if (id === null || id === undefined) return
  if (scope === 'personal') throw refuse('department_id', 'not_shared')
  if (!(await lockDepartmentRow(tx, tx.projectId, id))) throw refuse('department_id', 'not_found')
}

export async function listAnswers(
  sql: Sql,
  caller: Caller,
  { q: sent = '', scope }: CannedAnswerQuery,
): Promise<ListedCannedAnswer[]> {
  const q = sent.trim()
  const words = printQuestion(await ask(sql, caller.project.id, readPlainPieces(q), { beginnings: 'all' }))
  return [...(await listCannedAnswers(sql, readerOf(caller), scope ?? null, { q, words }))]
}

export async function getAnswer(sql: Sql, caller: Caller, id: string): Promise<CannedAnswer> {
  const answer = isId(id) ? await findCannedAnswer(sql, readerOf(caller), id) : null
  if (!answer) throw new ApiError('CANNED_ANSWER_NOT_FOUND')
  return answer
}

export function addAnswer(store: DbOrTx, caller: Caller, input: NewCannedAnswer): Promise<CannedAnswer> {
  const { scope = 'personal', department_id = null, shortcut, title, content } = input
  requireShare(caller, scope)
  const owner_id = scope === 'personal' ? caller.actor.id : null
  return transact(store, caller.project.id, async tx => {
    await requireDepartment(tx, scope, department_id)
    await requireQuota(
      tx,
      { of: ['canned answers', tx.projectId, owner_id ?? 'all'], max: maxAnswers, field: 'shortcut' },
      () => countCannedAnswers(tx, tx.projectId, owner_id),
    )
    const id = newId()
    const isNew = await insertCannedAnswer(tx, tx.projectId, {
      id,
      owner_id,
      department_id,
      shortcut,
      title,
      content,
    })
    if (!isNew) throw new ApiError('CANNED_ANSWER_EXISTS')
    await reindex(tx, tx.projectId, indexedAnswers, 'id', id)
    tx.touch('canned answer', id)
    const answer = await getAnswer(tx, caller, id)
    await noteAnswer(tx, caller, 'created', answer)
    return answer
  })
}

async function lockAnswer(tx: Tx, caller: Caller, id: string): Promise<CannedAnswer> {
  const answer = isId(id) ? await lockCannedAnswer(tx, readerOf(caller), id) : null
  if (!answer) throw new ApiError('CANNED_ANSWER_NOT_FOUND')
  requireShare(caller, answer.scope)
  return answer
}

export async function changeAnswer(
  store: DbOrTx,
  caller: Caller,
  id: string,
  change: CannedAnswerChange,
  version: number | null,
): Promise<CannedAnswer> {
  const fields = pick(change, ['shortcut', 'title', 'content', 'department_id'])
  try {
    return await transact(store, caller.project.id, async tx => {
      const old = await lockAnswer(tx, caller, id)
      requireVersion(version, old)
      await requireDepartment(tx, old.scope, change.department_id)
      if (!Object.keys(fields).length) return old
      await updateCannedAnswer(tx, tx.projectId, id, fields)
      await reindex(tx, tx.projectId, indexedAnswers, 'id', id)
      tx.touch('canned answer', id)
      await noteAnswer(tx, caller, 'changed', old)
      return getAnswer(tx, caller, id)
    })
  } catch (error) {
    if (isDuplicate(error)) throw new ApiError('CANNED_ANSWER_EXISTS')
    throw error
  }
}

export function removeAnswer(store: DbOrTx, caller: Caller, id: string): Promise<void> {
  return transact(store, caller.project.id, async tx => {
    const old = await lockAnswer(tx, caller, id)
    await deleteCannedAnswer(tx, tx.projectId, id)
    await noteAnswer(tx, caller, 'deleted', old)
  })
}
