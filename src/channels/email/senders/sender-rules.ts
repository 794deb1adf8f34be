import { type AuditAction, authorColumns, recordAudit } from '../../../audit/audit.ts'
import { requireQuota } from '../../../core/async/quota.ts'
import { allOf, conditionIf } from '../../../core/db/conditions.ts'
import type { Sql } from '../../../core/db/db.ts'
import { foldEmail } from '../../../core/email.ts'
import { BriefError, refuse } from '../../../core/errors.ts'
import { isId, newId } from '../../../core/ids.ts'
import { type Listed, listPage } from '../../../core/paging/paging.ts'
import { type DbOrTx, type Tx, transact } from '../../../events/transaction.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import { readSenderPattern } from './sender-pattern.ts'
import {
  countSenderRules,
  deleteSenderRuleRow,
  findSenderRuleIds,
  hasOwnAddress,
  insertSenderRule,
  listSenderRulesByIds,
  lockSenderRule,
  type SenderRuleRow,
} from './sender-queries.ts'
import type { SenderRule, SenderRuleInput, SenderRuleQuery } from './sender-schema.ts'

/** The rules of a project about senders: list, create, delete. */

const maxRules = 10_000

/** Newest first. The search compares every rule of the project, of which there are at most 10,000. */
export function pageSenderRules(
  sql: Sql,
  projectId: string,
  query: SenderRuleQuery,
): Promise<Listed<SenderRule>> {
  const matching = allOf(sql, [
    sql`true`,
    ...conditionIf(query.verdict, verdict => sql`verdict = ${verdict}`),
    ...conditionIf(query.q, q => sql`position(${foldEmail(q.trim())} in pattern) > 0`),
  ])
  const column = sql`created_at`
  return listPage(
    {
      sql,
      sort: { name: 'created_at', isDescending: true, column, id: sql`id` },
      find: (condition, ordering) =>
        findSenderRuleIds(sql, projectId, sql`${matching} and ${condition}`, ordering),
      load: ids => listSenderRulesByIds(sql, projectId, ids),
      count: limit => countSenderRules(sql, projectId, matching, limit),
    },
    query,
  )
}

const note = (
  tx: Tx,
  { actor }: AccountCaller,
  action: AuditAction,
  { id, pattern, verdict }: SenderRuleRow,
) => recordAudit(tx, tx.projectId, actor, action, { type: 'sender_rule', id, name: pattern }, { verdict })

/** Makes the rule. If the pattern has another verdict, it is replaced. */
export function createSenderRule(
  store: DbOrTx,
  caller: AccountCaller,
  { pattern: text, verdict }: SenderRuleInput,
): Promise<SenderRule> {
  const projectId = caller.project.id
  const pattern = readSenderPattern(text)
  return transact(store, projectId, async tx => {
    if (verdict === 'blocked' && (await hasOwnAddress(tx, projectId, pattern)))
      throw refuse('pattern', 'own_sender')
    await requireQuota(tx, { of: ['sender rules', projectId], max: maxRules, field: 'pattern' }, () =>
      countSenderRules(tx, projectId, tx`pattern <> ${pattern}`, maxRules),
    )
    const old = await lockSenderRule(tx, projectId, pattern)
    if (old?.verdict === verdict) return old
    const id = old?.id ?? newId()
    const made = await insertSenderRule(tx, projectId, {
      id,
      pattern,
      verdict,
      ...authorColumns(caller.actor),
    })
    await note(tx, caller, old ? 'sender_rule.changed' : 'sender_rule.created', made)
    return made
  })
}

export const deleteSenderRule = (store: DbOrTx, caller: AccountCaller, id: string): Promise<void> =>
  transact(store, caller.project.id, async tx => {
    const old = isId(id) ? await deleteSenderRuleRow(tx, tx.projectId, id) : null
    if (!old) throw new BriefError('sender_rule_not_found')
    await note(tx, caller, 'sender_rule.deleted', old)
  })
