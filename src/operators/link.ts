import { note } from '../audit/audit.ts'
import type { Config } from '../core/config.ts'
import type { Db, Sql } from '../core/db.ts'
import { Mistake } from '../core/mistake.ts'
import { findProject, listProjects } from '../projects/projects.ts'
import { createLink, forgetSecondFactor } from '../users/users.ts'
import { findPersonByEmail } from './people-queries.ts'

/** The way in for whoever runs the server, who needs no session. */

export interface WayIn {
  project_id: string
  purpose: 'set_up' | 'invite' | 'reset'
  token: string
  expires_at: string
}

async function chooseProject(db: Db, given: string | undefined): Promise<string> {
  if (given) return (await findProject(db, given)).id
  const [only, ...others] = await listProjects(db)
  if (!only) throw new Mistake('There is no project yet. Start the server once, or create a project')
  if (others.length) throw new Mistake('There are several projects; name one by --project')
  return only.id
}

/** Somebody new becomes an owner; somebody invited gets the invitation; somebody with an account a new password. */
async function decide(tx: Sql, project_id: string, email: string) {
  const person = await findPersonByEmail(tx, project_id, email)
  if (!person) return { purpose: 'set_up' as const, project_id, email }
  if (!person.user_id) return { purpose: 'invite' as const, project_id, operator_id: person.id, email }
  return { purpose: 'reset' as const, user_id: person.user_id }
}

export async function makeWayIn(
  db: Db,
  { oidcOnly }: Pick<Config, 'oidcOnly'>,
  { project, email, forgets }: { project?: string; email: string; forgets: boolean },
): Promise<WayIn> {
  const project_id = await chooseProject(db, project)
  return db.begin(async tx => {
    const link = await decide(tx, project_id, email)
    if (link.purpose === 'reset' && oidcOnly === 'on')
      throw new Mistake('OIDC_ONLY is on, so passwords do not work; set it to off while the provider is down')
    if (forgets && link.purpose === 'reset') await forgetSecondFactor(tx, link.user_id)
    const detail = { purpose: link.purpose, forgets_second_factor: forgets }
    await note(
      tx,
      project_id,
      { type: 'cli' },
      'operator.link_made',
      { type: 'operator', name: email },
      detail,
    )
    return { project_id, purpose: link.purpose, ...(await createLink(tx, link)) }
  })
}
