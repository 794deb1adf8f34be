import { type AuditAction, type AuditAuthor, recordAudit } from '../../audit/audit.ts'
import { requireQuota } from '../../core/async/quota.ts'
import type { Sql } from '../../core/db/db.ts'
import { ApiError, type Code, refuse } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../../events/transaction.ts'
import { findDepartment } from '../../operators/operators.ts'
import { countAccounts } from './account-queries.ts'

/** What the rules for mailboxes, bots and custom channels have in common. An account is one of these. */

/** The account's project, and who makes the change. */
export interface AccountCaller {
  project: { id: string }
  actor: AuditAuthor
}

interface AccountRow {
  id: string
  version: number
  state: string
}

type BeginOf<Action> = Action extends `${infer Begin}.paused` ? Begin : never
type AuditedAccount = BeginOf<AuditAction>

type PausedState = 'active' | 'paused'

/** `Named` has what the audit log shows. `Locked` is a locked row, and `Shown` one that is returned. */
interface AccountKind<Named, Locked extends AccountRow & Named, Shown extends Named> {
  /** The type of the target in the audit log, and the beginning of its actions. */
  audited: AuditedAccount
  nameOf(account: Named): string
  notFound: Code
  table: string
  /** The maximum number of accounts per project, and the field that the error names when it is reached. */
  quota: { max: number; field: string }
  /** Whether an account is also found by something other than its id. */
  hasNames?: boolean
  find(sql: Sql, projectId: string, reference: string): Promise<Shown | null>
  lock(sql: Sql, projectId: string, reference: string): Promise<Locked | null>
  updateState(tx: Tx, id: string, state: PausedState): Promise<unknown>
  /** Wakes the workers. It locks `due_work`, so it is the last step of a change. */
  wake?(tx: Tx, id: string, state: PausedState): Promise<unknown>
}

export async function requireDepartment(
  sql: Sql,
  projectId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id && !(await findDepartment(sql, projectId, id))) throw refuse('department_id', 'not_found')
}

function createLookups<Named, Locked extends AccountRow & Named, Shown extends Named>(
  kind: AccountKind<Named, Locked, Shown>,
) {
  const { notFound, hasNames, find, lock } = kind
  const isReference = (reference: string): boolean => hasNames === true || isId(reference)
  return {
    async get(sql: Sql, projectId: string, reference: string): Promise<Shown> {
      const row = isReference(reference) ? await find(sql, projectId, reference) : null
      if (row === null) throw new ApiError(notFound)
      return row
    },
    async getLocked(tx: Tx, reference: string): Promise<Locked> {
      const row = isReference(reference) ? await lock(tx, tx.projectId, reference) : null
      if (row === null) throw new ApiError(notFound)
      return row
    },
  }
}

export function createAccountRules<
  Named extends { id: string },
  Locked extends AccountRow & Named,
  Shown extends Named,
>(kind: AccountKind<Named, Locked, Shown>) {
  const { audited, nameOf, table, quota, updateState, wake } = kind
  const { get, getLocked } = createLookups(kind)

  const note = (tx: Tx, { actor }: AccountCaller, action: AuditAction, account: Named, detail = {}) =>
    recordAudit(
      tx,
      tx.projectId,
      actor,
      action,
      { type: audited, id: account.id, name: nameOf(account) },
      detail,
    )

  /** Changes an account under its lock, and returns it. `version`: that of the settings that the caller has seen. */
  const change = (
    store: DbOrTx,
    { project }: AccountCaller,
    reference: string,
    work: (tx: Tx, old: Locked) => Promise<unknown>,
    version: number | null = null,
  ): Promise<Shown> =>
    transact(store, project.id, async tx => {
      const old = await getLocked(tx, reference)
      if (version !== null && version !== old.version)
        throw new ApiError('SETTINGS_CHANGED', { current: await get(tx, tx.projectId, old.id) })
      await work(tx, old)
      return get(tx, tx.projectId, old.id)
    })

  const changeState =
    (state: PausedState) =>
    (store: DbOrTx, caller: AccountCaller, reference: string): Promise<Shown> =>
      change(store, caller, reference, async (tx, old) => {
        if (old.state === state) return
        await updateState(tx, old.id, state)
        await note(tx, caller, state === 'paused' ? `${audited}.paused` : `${audited}.resumed`, old)
        await wake?.(tx, old.id, state)
      })

  const requireRoom = (tx: Tx): Promise<void> =>
    requireQuota(tx, { ...quota, of: [table, tx.projectId] }, () => countAccounts(tx, table, tx.projectId))

  /** `resume` also retries a broken account. */
  return {
    get,
    getLocked,
    note,
    requireRoom,
    change,
    pause: changeState('paused'),
    resume: changeState('active'),
  }
}
