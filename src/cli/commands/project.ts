import { openProject, setProjectPlan } from '../../billing/billing.ts'
import { listProjects, resumeProject, suspendProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import { drawRecords } from '../table.ts'

export const projectCommands: Command[] = [
  command(
    { name: 'project create', about: 'Makes a project', required: ['name'], optional: ['plan'] },
    ({ db }, { name, plan }) => db.begin(tx => openProject(tx, { name: name!, ...(plan && { plan }) })),
    ({ id, name, plan }) => `Project "${name}" on plan ${plan}: ${id}`,
  ),
  command(
    { name: 'project list', about: 'Lists the projects' },
    async ({ db }) => ({ items: await listProjects(db) }),
    ({ items }) => drawRecords(items, 'No projects; make one with deskbell project create --name NAME'),
  ),
  command(
    {
      name: 'project suspend',
      about: 'Refuses every key of a project from now on',
      places: ['ID'],
      optional: ['reason'],
    },
    async ({ db }, { ID: id = '', reason = null }) => {
      await suspendProject(db, id, reason)
      return { id, is_suspended: true, reason }
    },
    ({ id, reason }) => `Project ${id} is suspended${reason === null ? '' : `: ${reason}`}`,
  ),
  command(
    { name: 'project resume', about: 'Ends the suspension of a project', places: ['ID'] },
    ({ db }, { ID: id = '' }) => resumeProject(db, id).then(() => ({ id, is_suspended: false })),
    ({ id }) => `Project ${id} is no longer suspended`,
  ),
  command(
    { name: 'project plan', about: 'Puts a project on another plan', places: ['ID', 'CODE'] },
    ({ db }, { ID: id = '', CODE: plan = '' }) => setProjectPlan(db, id, plan).then(() => ({ id, plan })),
    ({ id, plan }) => `Project ${id} is on plan ${plan}`,
  ),
]
