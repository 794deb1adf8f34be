import { recordAudit } from '../../../audit/audit.ts'
import type { Sql } from '../../../core/db/db.ts'
import { transact } from '../../../events/transaction.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import { type Fault, withText } from '../mailboxes/fault.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { getMailbox } from '../mailboxes/mailboxes.ts'
import { findProbe, insertProbe, type ProbeRow, tooLong } from '../mailboxes/probe-queries.ts'
import { lockMailbox } from '../mailboxes/queries.ts'
import { type ProbeDeps, sendWaitingProbe } from './send-probe.ts'

/** Starts the test in which a mailbox sends emails to itself, and shows its result. */

export const plusResults = ['waiting', 'works', 'refused', 'too_long', 'not_arrived', 'untested'] as const

function plusOf({ state, plus_arrived_at, plus_refusal, error }: ProbeRow): (typeof plusResults)[number] {
  if (plus_arrived_at !== null) return 'works'
  if (plus_refusal !== null) return plus_refusal === tooLong ? 'too_long' : 'refused'
  if (error) return 'untested'
  return state === 'ended' ? 'not_arrived' : 'waiting'
}

export type ShownProbe = Omit<ProbeRow, 'id' | 'plus_arrived_at' | 'error'> & {
  plus: (typeof plusResults)[number]
  error: (Fault & { text: string }) | null
}

export async function showProbe(
  sql: Sql,
  projectId: string,
  mailboxId: string,
): Promise<{ probe: ShownProbe | null }> {
  const row = await findProbe(sql, projectId, mailboxId)
  if (!row) return { probe: null }
  const { id: _, plus_arrived_at: __, error, plus_refusal, ...shown } = row
  const probe = {
    ...{ ...shown, plus: plusOf(row), error: error && withText(error) },
    plus_refusal: plus_refusal === tooLong ? null : plus_refusal,
  }
  return { probe }
}

function findObstacle({ sending, incoming }: MailboxRow): Fault | null {
  if (sending === 'none') return { code: 'not_sending', values: {} }
  return incoming === 'none' ? { code: 'not_receiving', values: {} } : null
}

/** Sends the emails now, or as soon as the mailbox is ready. */
export async function requestProbe(
  deps: ProbeDeps,
  caller: AccountCaller,
  mailboxId: string,
): Promise<{ probe: ShownProbe | null }> {
  const { id: projectId } = caller.project
  const { id } = await transact(deps.db, projectId, async tx => {
    const mailbox = await getMailbox(tx, projectId, mailboxId)
    await lockMailbox(tx, projectId, mailbox.id)
    await insertProbe(tx, projectId, mailbox.id, findObstacle(mailbox))
    const target = { type: 'mailbox' as const, id: mailbox.id, name: mailbox.address }
    await recordAudit(tx, projectId, caller.actor, 'mailbox.tested', target, {})
    return mailbox
  })
  await sendWaitingProbe(deps, { project_id: projectId, id })
  return showProbe(deps.db, projectId, id)
}
