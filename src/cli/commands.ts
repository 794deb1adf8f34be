import type { Db } from '../core/db.ts'
import { createKey, deleteKey, disableKey, listKeys } from '../keys/keys.ts'
import { setMaintenance } from '../projects/installation.ts'
import { createProject, listProjects, resumeProject, suspendProject } from '../projects/projects.ts'
import { examine, printChecks } from './doctor.ts'
import { UsageError, type Values } from './parse.ts'
import { type Session, withDatabase } from './session.ts'
import { drawRecords } from './table.ts'

export interface Command {
  name: string
  about: string
  /** Words without a name, such as an id, in order. */
  places?: string[]
  required?: string[]
  optional?: string[]
  run(values: Values): Promise<{ result: object; status?: number }>
  print(result: never): string
}

const command = <T extends object>(
  words: Pick<Command, 'name' | 'about' | 'places' | 'required' | 'optional'>,
  work: (session: Session, values: Values) => Promise<T>,
  print: (result: T) => string,
): Command => ({
  ...words,
  run: async values => ({ result: await withDatabase(session => work(session, values)) }),
  print,
})

export const commands: Command[] = [
  command(
    { name: 'project create', about: 'Makes a project', required: ['name'], optional: ['plan'] },
    async ({ db }, { name, plan }) => {
      if (plan) await requirePlan(db, plan)
      return createProject(db, { name: name!, ...(plan && { plan }) })
    },
    ({ id, name, plan }) => `Project "${name}" on plan ${plan}: ${id}`,
  ),
  command(
    { name: 'project list', about: 'Lists the projects' },
    async ({ db }) => ({ items: await listProjects(db) }),
    ({ items }) => drawRecords(items, 'No projects; make one with deskbell project create --name NAME'),
  ),
  command(
    { name: 'project suspend', about: 'Refuses every key of a project from now on', places: ['ID'] },
    ({ db }, { ID: id = '' }) => suspendProject(db, id).then(() => ({ id, is_suspended: true })),
    ({ id }) => `Project ${id} is suspended`,
  ),
  command(
    { name: 'project resume', about: 'Ends the suspension of a project', places: ['ID'] },
    ({ db }, { ID: id = '' }) => resumeProject(db, id).then(() => ({ id, is_suspended: false })),
    ({ id }) => `Project ${id} is no longer suspended`,
  ),
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
      about: 'Refuses an API key from now on; it cannot be enabled again',
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
  command(
    {
      name: 'maintenance',
      about: 'Answers every API request with 503 (on), or normally again (off)',
      places: ['on|off'],
    },
    ({ db }, values) => {
      const on = readSwitch(values['on|off']!)
      return setMaintenance(db, on).then(() => ({ maintenance: on }))
    },
    ({ maintenance }) => `Maintenance is ${maintenance ? 'on: every API request is answered 503' : 'off'}`,
  ),
  {
    name: 'doctor',
    about: 'Says what is wrong with this installation, and how to mend it',
    run: examine,
    print: printChecks,
  },
]

async function requirePlan(db: Db, plan: string): Promise<void> {
  const codes = (await db<{ code: string }[]>`select code from plans order by code`).map(({ code }) => code)
  if (!codes.includes(plan))
    throw new UsageError(`Plan "${plan}" does not exist; these do: ${codes.join(', ')}`)
}

function readSwitch(word: string): boolean {
  if (word === 'on' || word === 'off') return word === 'on'
  throw new UsageError(`deskbell maintenance is either on or off, not "${word}"`)
}
