import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import type { Tx } from '../events/transaction.ts'
import { findOperator } from '../operators/operators.ts'

/** The operators whom an internal note mentions. */

export async function requireMentioned(tx: Tx, mentions: string[]): Promise<void> {
  for (const id of mentions)
    if (!isId(id) || !(await findOperator(tx, tx.projectId, id)))
      throw refuse('mentions', 'not_found', { ids: [id] })
}

/** Nobody is notified of their own note. */
export const withoutWriter = ({ actor }: Caller, mentions: string[]): string[] =>
  [...new Set(mentions)].filter(id => id !== actor.id)
