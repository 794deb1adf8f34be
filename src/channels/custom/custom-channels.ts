import { differenceOf } from '../../audit/difference.ts'
import type { Sql } from '../../core/db/db.ts'
import { ApiError } from '../../core/errors.ts'
import { pick } from '../../core/fields.ts'
import { newId } from '../../core/ids.ts'
import type { Picture } from '../../core/picture.ts'
import { type DbOrTx, transact } from '../../events/transaction.ts'
import { deleteAccount } from '../accounts/account-queries.ts'
import { type AccountCaller, createAccountRules, requireDepartment } from '../accounts/account-rules.ts'
import { failWaiting } from './outgoing/fail-waiting.ts'
import {
  type ChannelRow,
  findChannelRow,
  insertChannel,
  listChannelRows,
  lockChannel,
  lockChannelToDelete,
  updateChannel,
  updateChannelUse,
} from './queries.ts'
import type { CustomChannel, CustomChannelChange, NewCustomChannel } from './schema.ts'

/** The rules for creating and changing custom channels. A reference is the id or the name of a channel. */

const maxChannels = 50
const defaultColor = '#5c6b7a'

const rules = createAccountRules<Pick<ChannelRow, 'id' | 'title'>, ChannelRow, CustomChannel>({
  audited: 'channel',
  nameOf: ({ title }) => title,
  notFound: 'CHANNEL_NOT_FOUND',
  table: 'custom_channels',
  quota: { max: maxChannels, field: 'name' },
  hasNames: true,
  find: findChannelRow,
  lock: lockChannel,
  updateState: (tx, id, state) => updateChannel(tx, tx.projectId, id, { state }),
})

/** A paused channel refuses messages from its program, and its replies wait. */
export const { get: getChannel, pause: pauseChannel, resume: resumeChannel } = rules

export const listChannels = (sql: Sql, projectId: string): Promise<CustomChannel[]> =>
  listChannelRows(sql, projectId)

/** Gets a channel for a request of its program, and records the time of the request. */
export async function useChannel(sql: Sql, projectId: string, reference: string): Promise<CustomChannel> {
  const channel = await getChannel(sql, projectId, reference)
  await updateChannelUse(sql, projectId, channel.id, 'last_request_at')
  return channel
}

export async function useActiveChannel(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<CustomChannel> {
  const channel = await useChannel(sql, projectId, reference)
  if (channel.state === 'paused') throw new ApiError('CHANNEL_PAUSED')
  return channel
}

export const createChannel = (
  store: DbOrTx,
  caller: AccountCaller,
  input: NewCustomChannel,
): Promise<CustomChannel> =>
  transact(store, caller.project.id, async tx => {
    const { projectId } = tx
    await rules.requireRoom(tx)
    await requireDepartment(tx, tx.projectId, input.department_id)
    const id = newId()
    if (!(await insertChannel(tx, projectId, id, { color: defaultColor, ...input })))
      throw new ApiError('CHANNEL_EXISTS')
    const made = await getChannel(tx, projectId, id)
    await rules.note(tx, caller, 'channel.created', made, { channel: made.name })
    return made
  })

const auditedFields = ['title', 'color', 'department_id'] as const

export const changeChannel = (
  store: DbOrTx,
  caller: AccountCaller,
  reference: string,
  input: CustomChannelChange,
  version: number | null,
): Promise<CustomChannel> =>
  rules.change(
    store,
    caller,
    reference,
    async (tx, old) => {
      await requireDepartment(tx, tx.projectId, input.department_id)
      await updateChannel(tx, tx.projectId, old.id, pick(input, auditedFields))
      const difference = differenceOf(pick(old, auditedFields), pick(input, auditedFields))
      await rules.note(tx, caller, 'channel.changed', old, { ...difference })
    },
    version,
  )

export const changeChannelPicture = (
  store: DbOrTx,
  caller: AccountCaller,
  reference: string,
  picture: Picture | null,
): Promise<CustomChannel> =>
  rules.change(store, caller, reference, async (tx, old) => {
    const fields = { picture: picture?.bytes ?? null, picture_type: picture?.content_type ?? null }
    await updateChannel(tx, tx.projectId, old.id, fields)
    await rules.note(tx, caller, 'channel.changed', old, { picture: picture ? 'set' : 'removed' })
  })

/** Keeps the channel's tickets. Messages that wait for its program fail. */
export const deleteChannel = (store: DbOrTx, caller: AccountCaller, reference: string): Promise<void> =>
  transact(store, caller.project.id, async tx => {
    const old = await rules.getLocked(tx, reference)
    await lockChannelToDelete(tx, tx.projectId, old.id)
    await failWaiting(tx, old.id)
    await deleteAccount(tx, 'custom_channels', tx.projectId, old.id)
    await rules.note(tx, caller, 'channel.deleted', old, { channel: old.name })
  })
