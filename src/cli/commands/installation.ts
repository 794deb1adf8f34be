import type { Db } from '../../core/db/db.ts'
import { setMaintenance } from '../../projects/installation.ts'
import { listProjects } from '../../projects/projects.ts'
import { auditInProjects } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { printChecks, runDoctor } from '../doctor.ts'
import { readSwitch } from '../parse.ts'

/** Recorded in every project, because it affects all of them. */
const setNoted = (db: Db, maintenance: boolean) =>
  db.begin(async sql => {
    if (!(await setMaintenance(sql, maintenance))) return
    const projects = await listProjects(sql)
    await auditInProjects(
      sql,
      projects.map(({ id }) => id),
      {
        action: 'project.maintenance_changed',
        target: { type: 'installation' },
        detail: { before: { maintenance: !maintenance }, after: { maintenance } },
      },
    )
  })

export const installationCommands: Command[] = [
  command(
    {
      name: 'maintenance',
      about: 'Turns maintenance mode on or off. While on, every API request gets a 503',
      arguments: ['on|off'],
    },
    ({ db }, values) => {
      const on = readSwitch('deskbell maintenance', values['on|off']!, ['on', 'off'])
      return setNoted(db, on).then(() => ({ maintenance: on }))
    },
    ({ maintenance }) => `Maintenance is ${maintenance ? 'on: every API request gets a 503' : 'off'}`,
  ),
  {
    name: 'doctor',
    about: 'Finds problems with this installation and tells you how to fix them',
    run: runDoctor,
    print: printChecks,
  },
]
