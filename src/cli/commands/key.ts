import { createKey, deleteKey, disableKey, listKeys } from '../../keys/keys.ts'
import { type Command, command } from '../command.ts'
import { drawRecords } from '../table.ts'

export const keyCommands: Command[] = [
  command(
    {
      name: 'key create',
      about: 'Makes an API key and shows it, only this once',
      required: ['project', 'name'],
    },
    ({ db }, { project, name }) => createKey(db, project!, name!),
    ({ id, key }) => `API key ${id}, shown only this once:\n\n  ${key}`,
  ),
  command(
    { name: 'key list', about: 'Lists the API keys of a project', required: ['project'] },
    async ({ db }, { project }) => ({ items: [...(await listKeys(db, project!))] }),
    ({ items }) => drawRecords(items, 'No keys; make one with deskbell key create'),
  ),
  command(
    {
      name: 'key disable',
      about: 'Refuses an API key from now on; the dashboard can switch it on again',
      places: ['ID'],
    },
    ({ db }, { ID: id = '' }) => disableKey(db, id).then(() => ({ id, is_active: false })),
    ({ id }) => `API key ${id} is disabled`,
  ),
  command(
    { name: 'key delete', about: 'Deletes an API key, which is refused from now on', places: ['ID'] },
    ({ db }, { ID: id = '' }) => deleteKey(db, id).then(() => ({ id, is_deleted: true })),
    ({ id }) => `API key ${id} is deleted`,
  ),
]
