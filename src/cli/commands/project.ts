import { listHoldings, openProject, setProjectPlan } from '../../billing/billing.ts'
import { listProjects, resumeProject, suspendProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import { changeNoted, type Noted, noteCommand } from '../noted.ts'
import { drawRecords } from '../table.ts'
import { deleteCommand } from './delete.ts'

export const projectCommands: Command[] = [
  command(
    { name: 'project create', about: 'Makes a project', required: ['name'], optional: ['plan'] },
    ({ db }, { name = '', plan }) =>
      db.begin(async tx => {
        const made = await openProject(tx, { name, ...(plan && { plan }) })
        const target = { type: 'project', id: made.id, name }
        await noteCommand(tx, made.id, { action: 'project.created', target, detail: { plan: made.plan } })
        return made
      }),
    ({ id, name, plan }) => `Project "${name}" on plan ${plan}: ${id}`,
  ),
  command(
    { name: 'project list', about: 'Lists the projects with their balance and the end of their plan' },
    async ({ db }) => {
      const holdings = await listHoldings(db)
      return { items: (await listProjects(db)).map(one => ({ ...one, ...holdings.get(one.id) })) }
    },
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
      const noted: Noted = {
        action: 'project.suspended',
        target: { type: 'project', id },
        detail: { reason },
      }
      await changeNoted(
        db,
        id,
        tx => suspendProject(tx, id, reason),
        () => noted,
      )
      return { id, is_suspended: true, reason }
    },
    ({ id, reason }) => `Project ${id} is suspended${reason === null ? '' : `: ${reason}`}`,
  ),
  command(
    { name: 'project resume', about: 'Ends the suspension of a project', places: ['ID'] },
    async ({ db }, { ID: id = '' }) => {
      const noted: Noted = { action: 'project.resumed', target: { type: 'project', id } }
      await changeNoted(
        db,
        id,
        tx => resumeProject(tx, id),
        () => noted,
      )
      return { id, is_suspended: false }
    },
    ({ id }) => `Project ${id} is no longer suspended`,
  ),
  command(
    { name: 'project plan', about: 'Puts a project on another plan', places: ['ID', 'CODE'] },
    async ({ db }, { ID: id = '', CODE: plan = '' }) => {
      await changeNoted(
        db,
        id,
        tx => setProjectPlan(tx, id, plan),
        () => ({ action: 'billing.plan_set', target: { type: 'plan' }, detail: { plan } }),
      )
      return { id, plan }
    },
    ({ id, plan }) => `Project ${id} is on plan ${plan}`,
  ),
  deleteCommand,
]
