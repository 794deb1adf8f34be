import { createProjectOnPlan, listBalances, setProjectPlan } from '../../billing/billing.ts'
import { listProjects, resumeProject, suspendProject } from '../../projects/projects.ts'
import { type AuditedChange, auditCommand, changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { drawRecords } from '../table.ts'
import { deleteCommand } from './delete.ts'

export const projectCommands: Command[] = [
  command(
    { name: 'project create', about: 'Creates a project', required: ['name'], optional: ['plan'] },
    ({ db }, { name = '', plan }) =>
      db.begin(async tx => {
        const made = await createProjectOnPlan(tx, { name, ...(plan && { plan }) })
        const target = { type: 'project', id: made.id, name }
        await auditCommand(tx, made.id, { action: 'project.created', target, detail: { plan: made.plan } })
        return made
      }),
    ({ id, name, plan }) => `Project "${name}" on plan ${plan}: ${id}`,
  ),
  command(
    { name: 'project list', about: 'Lists projects with their balance and the end date of their plan' },
    async ({ db }) => {
      const holdings = await listBalances(db)
      return { items: (await listProjects(db)).map(one => ({ ...one, ...holdings.get(one.id) })) }
    },
    ({ items }) => drawRecords(items, 'No projects. Create one with deskbell project create --name NAME'),
  ),
  command(
    {
      name: 'project suspend',
      about: 'Suspends a project. All its API keys stop working',
      arguments: ['ID'],
      optional: ['reason'],
    },
    async ({ db }, { ID: id = '', reason = null }) => {
      const noted: AuditedChange = {
        action: 'project.suspended',
        target: { type: 'project', id },
        detail: { reason },
      }
      await changeAudited(
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
    { name: 'project resume', about: 'Resumes a suspended project', arguments: ['ID'] },
    async ({ db }, { ID: id = '' }) => {
      const noted: AuditedChange = { action: 'project.resumed', target: { type: 'project', id } }
      await changeAudited(
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
    { name: 'project plan', about: 'Moves a project to another plan', arguments: ['ID', 'CODE'] },
    async ({ db }, { ID: id = '', CODE: plan = '' }) => {
      await changeAudited(
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
