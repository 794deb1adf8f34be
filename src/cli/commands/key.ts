import type { AuditAction } from '../../audit/audit.ts'
import type { Sql } from '../../core/db/db.ts'
import { createKey, deleteKey, disableKey, listKeys, type OwnedKey } from '../../keys/keys.ts'
import { auditCommand, changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { drawRecords } from '../table.ts'

const noteKey = (tx: Sql, action: AuditAction, { project_id, id, name }: OwnedKey, detail: object) =>
  auditCommand(tx, project_id, { action, target: { type: 'key', id, name }, detail: { ...detail } })

export const keyCommands: Command[] = [
  command(
    {
      name: 'key create',
      about: 'Creates an API key. The key is shown only once',
      required: ['project', 'name'],
    },
    ({ db }, { project = '', name = '' }) =>
      changeAudited(
        db,
        project,
        tx => createKey(tx, project, name),
        ({ id, prefix }) => ({
          action: 'key.created',
          target: { type: 'key', id, name },
          detail: { prefix },
        }),
      ),
    ({ id, key }) => `API key ${id}. Copy it now. You will not see it again:\n\n  ${key}`,
  ),
  command(
    { name: 'key list', about: 'Lists the API keys of a project', required: ['project'] },
    async ({ db }, { project }) => ({ items: [...(await listKeys(db, project!))] }),
    ({ items }) => drawRecords(items, 'No keys. Create one with deskbell key create'),
  ),
  command(
    {
      name: 'key disable',
      about: 'Turns off an API key. You can turn it on again in the dashboard',
      arguments: ['ID'],
    },
    ({ db }, { ID: id = '' }) =>
      db.begin(async tx => {
        const detail = { before: { is_active: true }, after: { is_active: false } }
        await noteKey(tx, 'key.changed', await disableKey(tx, id), detail)
        return { id, is_active: false }
      }),
    ({ id }) => `API key ${id} is disabled`,
  ),
  command(
    { name: 'key delete', about: 'Deletes an API key. It stops working right away', arguments: ['ID'] },
    ({ db }, { ID: id = '' }) =>
      db.begin(async tx => {
        const key = await deleteKey(tx, id)
        await noteKey(tx, 'key.deleted', key, { prefix: key.prefix })
        return { id, is_deleted: true }
      }),
    ({ id }) => `API key ${id} is deleted`,
  ),
]
