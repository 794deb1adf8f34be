import { differenceOf } from '../../../audit/difference.ts'
import { ApiError } from '../../../core/errors.ts'
import { pick } from '../../../core/fields.ts'
import { newId } from '../../../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../../../events/transaction.ts'
import { wakeAccount } from '../../../outgoing/outgoing.ts'
import { type AccountCaller, createAccountRules, requireDepartment } from '../../accounts/account-rules.ts'
import { insertAccountDue } from '../../accounts/lease-queries.ts'
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
  requireSettings,
} from './mailbox-input.ts'
import { clearOldFaults, clearPlusWorks, isServerChanged } from './outdated-results.ts'
import { insertProbe, isSendingAndReceiving } from './probe-queries.ts'
import {
  deleteAddresses,
  findMailboxRow,
  insertAddresses,
  insertMailbox,
  lockMailbox,
  type MailboxFields,
  mailboxTable,
  updateMailbox,
} from './queries.ts'

/** The rules for mailboxes: create, change, pause, resume, delete. */

const maxMailboxes = 200

/** Makes the mailbox due immediately. It locks `due_work`, so it must be the last statement of a change. */
const noteMailboxDue = (tx: Tx, id: string) =>
  insertAccountDue(tx, mailboxTable, { project_id: tx.projectId, id })

const { get, getLocked, note, requireRoom, change, pause, resume } = createAccountRules<
  Pick<MailboxRow, 'id' | 'address'>,
  FetchedMailbox,
  MailboxRow
>({
  audited: 'mailbox',
  nameOf: ({ address }) => address,
  notFound: 'MAILBOX_NOT_FOUND',
  table: 'mailboxes',
  quota: { max: maxMailboxes, field: 'address' },
  find: findMailboxRow,
  lock: lockMailbox,
  updateState: (tx, id, state) => updateMailbox(tx, tx.projectId, id, { state }),
  async wake(tx, id, state) {
    if (state === 'paused') return
    await noteMailboxDue(tx, id)
    wakeAccount(tx, id)
  },
})

export { get as getMailbox, pause as pauseMailbox, resume as resumeMailbox }

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
  caller: AccountCaller,
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
    await requireRoom(tx)
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

const auditedFields = [...editableFields, 'aliases', 'imap', 'smtp'] as const

/** A broken mailbox is retried with its new settings, whose problems are unknown. */
export function changeMailbox(
  deps: MailboxDeps,
  store: DbOrTx,
  caller: AccountCaller,
  id: string,
  input: MailboxSettingsInput,
  version: number | null,
): Promise<MailboxRow> {
  const work = async (tx: Tx, old: FetchedMailbox) => {
    const access = readAccess(deps, tx.projectId, old, input)
    const aliases = input.aliases?.map(alias => readOwnAddress(deps.config, 'aliases', alias))
    const fields: MailboxFields = { ...readFields(input), ...access, ...(aliases && { aliases }) }
    requireSettings(deps.config, { ...old, ...fields })
    if (!Object.keys(fields).length) return
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
  }
  return change(store, caller, id, work, version)
}

/** Keeps its emails in the log, frees its addresses, and cancels the emails that wait to be sent. */
export const deleteMailbox = (store: DbOrTx, caller: AccountCaller, id: string): Promise<void> =>
  transact(store, caller.project.id, async tx => {
    const old = await getLocked(tx, id)
    await deleteMailboxRow(tx, tx.projectId, id)
    await deleteUnusedKeys(tx, tx.projectId)
    await note(tx, caller, 'mailbox.deleted', old)
    wakeAccount(tx, id)
  })
