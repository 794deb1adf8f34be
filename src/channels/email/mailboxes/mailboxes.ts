import { type AuditAction, type AuditAuthor, recordAudit } from '../../../audit/audit.ts'
import { differenceOf } from '../../../audit/difference.ts'
import { requireQuota } from '../../../core/async/quota.ts'
import type { Sql } from '../../../core/db/db.ts'
import { noteDueRows } from '../../../core/due/due-work.ts'
import { ApiError } from '../../../core/errors.ts'
import { pick } from '../../../core/fields.ts'
import { isId, newId } from '../../../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../../../events/transaction.ts'
import { wakeAccount } from '../../../outgoing/outgoing.ts'
import { deleteMailboxRow, deleteUnusedKeys } from './deletion-queries.ts'
import { updateFoldersMoved } from './folder-queries.ts'
import { isOtherAccount } from './imap-settings.ts'
import type { FetchedMailbox, MailboxRow, MailboxSettingsInput, NewMailbox } from './mailbox.ts'
import {
  editableFields,
  type MailboxDeps,
  readAccess,
  readFields,
  readOwnAddress,
  requireDepartment,
  requireSettings,
} from './mailbox-input.ts'
import { clearOldFaults, clearPlusWorks, isServerChanged } from './outdated-results.ts'
import { insertProbe, isSendingAndReceiving } from './probe-queries.ts'
import {
  countMailboxes,
  deleteAddresses,
  findMailboxRow,
  insertAddresses,
  insertMailbox,
  lockMailbox,
  type MailboxFields,
  updateMailbox,
} from './queries.ts'

/** The rules for mailboxes: create, change, pause, resume, delete. */

/** The mailbox's project, and who makes the change. */
export interface MailboxCaller {
  project: { id: string }
  actor: AuditAuthor
}

const maxMailboxes = 200

const note = (
  tx: Tx,
  { actor }: MailboxCaller,
  action: AuditAction,
  { id, address }: Pick<MailboxRow, 'id' | 'address'>,
  detail = {},
) => recordAudit(tx, tx.projectId, actor, action, { type: 'mailbox', id, name: address }, detail)

/** Makes the mailbox due immediately. It locks `due_work`, so it must be the last statement of a change. */
const noteMailboxDue = (tx: Tx, id: string) =>
  noteDueRows(
    tx,
    'mailboxes',
    tx`select ${tx.projectId}::uuid as project_id, ${id}::uuid as subject_id, now() as due_at`,
  )

/** The error does not reveal which project owns the address. */
async function takeAddresses(tx: Tx, mailboxId: string, addresses: string[]): Promise<void> {
  const wanted = [...new Set(addresses)]
  const taken = new Set((await insertAddresses(tx, tx.projectId, mailboxId, wanted)).map(row => row.address))
  const missing = wanted.find(address => !taken.has(address))
  if (missing !== undefined) throw new ApiError('MAILBOX_EXISTS', { address: missing })
}

export function createMailbox(
  deps: MailboxDeps,
  store: DbOrTx,
  caller: MailboxCaller,
  input: NewMailbox,
): Promise<MailboxRow> {
  const id = newId()
  const address = readOwnAddress(deps.config, 'address', input.address)
  const aliases = (input.aliases ?? []).map(alias => readOwnAddress(deps.config, 'aliases', alias))
  const projectId = caller.project.id
  const access = readAccess(deps, projectId, { id, address, imap: null, smtp: null, secrets: null }, input)
  const fields = { imap: null, ...readFields(input), ...access }
  requireSettings(deps.config, { ...fields, incoming: input.incoming })
  return transact(store, projectId, async tx => {
    await requireQuota(tx, { of: ['mailboxes', projectId], max: maxMailboxes, field: 'address' }, () =>
      countMailboxes(tx, projectId),
    )
    await requireDepartment(tx, tx.projectId, input.department_id)
    const made = await insertMailbox(tx, projectId, { id, address, aliases, ...fields })
    await takeAddresses(tx, id, [address, ...aliases])
    await note(tx, caller, 'mailbox.created', made, {
      incoming: made.incoming,
      host: made.imap?.host ?? null,
      sending: made.sending,
    })
    if (isSendingAndReceiving(made)) await insertProbe(tx, projectId, id)
    await noteMailboxDue(tx, id)
    return made
  })
}

async function getLockedMailbox(tx: Tx, id: string): Promise<FetchedMailbox> {
  const row = isId(id) ? await lockMailbox(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('MAILBOX_NOT_FOUND')
  return row
}

export async function getMailbox(sql: Sql, projectId: string, id: string): Promise<MailboxRow> {
  const row = isId(id) ? await findMailboxRow(sql, projectId, id) : null
  if (!row) throw new ApiError('MAILBOX_NOT_FOUND')
  return row
}

const auditedFields = [...editableFields, 'aliases', 'imap', 'smtp'] as const

/** A broken mailbox is retried with its new settings, whose problems are unknown. */
export function changeMailbox(
  deps: MailboxDeps,
  store: DbOrTx,
  caller: MailboxCaller,
  id: string,
  input: MailboxSettingsInput,
  version: number | null,
): Promise<MailboxRow> {
  return transact(store, caller.project.id, async tx => {
    const old = await getLockedMailbox(tx, id)
    if (version !== null && version !== old.version)
      throw new ApiError('SETTINGS_CHANGED', { current: await getMailbox(tx, tx.projectId, id) })
    const access = readAccess(deps, tx.projectId, old, input)
    const aliases = input.aliases?.map(alias => readOwnAddress(deps.config, 'aliases', alias))
    const fields: MailboxFields = { ...readFields(input), ...access, ...(aliases && { aliases }) }
    requireSettings(deps.config, { ...old, ...fields })
    if (!Object.keys(fields).length) return old
    await requireDepartment(tx, tx.projectId, input.department_id)
    const changed = await updateMailbox(tx, tx.projectId, id, {
      ...{ ...fields, ...clearOldFaults(old, input), ...clearPlusWorks(old, fields) },
    })
    if (isOtherAccount(old.imap, changed.imap)) await updateFoldersMoved(tx, tx.projectId, id)
    if (aliases) {
      await deleteAddresses(tx, tx.projectId, id)
      await takeAddresses(tx, id, [old.address, ...aliases])
    }
    const difference = differenceOf(pick(old, auditedFields), pick(changed, auditedFields))
    await note(tx, caller, 'mailbox.changed', changed, {
      ...difference,
      secrets_replaced: 'secrets' in fields,
    })
    if (isSendingAndReceiving(changed) && isServerChanged(difference)) await insertProbe(tx, tx.projectId, id)
    await noteMailboxDue(tx, id)
    wakeAccount(tx, id)
    return changed
  })
}

export const pauseMailbox = (store: DbOrTx, caller: MailboxCaller, id: string): Promise<MailboxRow> =>
  transact(store, caller.project.id, async tx => {
    const old = await getLockedMailbox(tx, id)
    if (old.state === 'paused') return old
    const changed = await updateMailbox(tx, tx.projectId, id, { state: 'paused' })
    await note(tx, caller, 'mailbox.paused', changed)
    return changed
  })

/** Also retries a broken mailbox. */
export const resumeMailbox = (store: DbOrTx, caller: MailboxCaller, id: string): Promise<MailboxRow> =>
  transact(store, caller.project.id, async tx => {
    const old = await getLockedMailbox(tx, id)
    if (old.state === 'active') return old
    const changed = await updateMailbox(tx, tx.projectId, id, { state: 'active' })
    await note(tx, caller, 'mailbox.resumed', changed)
    await noteMailboxDue(tx, id)
    wakeAccount(tx, id)
    return changed
  })

/** Keeps its emails in the log, frees its addresses, and cancels the emails that wait to be sent. */
export const deleteMailbox = (store: DbOrTx, caller: MailboxCaller, id: string): Promise<void> =>
  transact(store, caller.project.id, async tx => {
    const old = await getLockedMailbox(tx, id)
    await deleteMailboxRow(tx, tx.projectId, id)
    await deleteUnusedKeys(tx, tx.projectId)
    await note(tx, caller, 'mailbox.deleted', old)
    wakeAccount(tx, id)
  })
