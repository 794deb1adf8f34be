import { recordAudit } from '../audit/audit.ts'
import type { Config } from '../core/config/config.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { findProject, listProjects } from '../projects/projects.ts'
import { createLink, deleteSecondFactor } from '../users/users.ts'
import { findPersonByEmail } from './people-queries.ts'

/** Links made on the command line, by administrators of the server without a session. */

export interface SignInLink {
  project_id: string
  purpose: 'set_up' | 'invite' | 'reset'
  token: string
  expires_at: string
}

async function chooseProject(db: Db, given: string | undefined): Promise<string> {
  if (given) return (await findProject(db, given)).id
  const [only, ...others] = await listProjects(db)
  if (!only) throw new UserError('There is no project yet. Start the server once, or create a project')
  if (others.length) throw new UserError('There are several projects; choose one with --project')
  return only.id
}

/** Decides which link to create: for a new owner, for a pending invitation, or for a new password. */
async function decide(tx: Sql, project_id: string, email: string) {
  const person = await findPersonByEmail(tx, project_id, email)
  if (!person) return { purpose: 'set_up' as const, project_id, email }
  if (!person.user_id) return { purpose: 'invite' as const, project_id, operator_id: person.id, email }
  return { purpose: 'reset' as const, user_id: person.user_id }
}

export async function makeSignInLink(
  db: Db,
  { oidcOnly }: Pick<Config, 'oidcOnly'>,
  { project, email, forgets }: { project?: string; email: string; forgets: boolean },
): Promise<SignInLink> {
  const project_id = await chooseProject(db, project)
  return db.begin(async tx => {
    const link = await decide(tx, project_id, email)
    if (link.purpose === 'reset' && oidcOnly === 'on')
      throw new UserError(
        'OIDC_ONLY is on, so passwords do not work; set it to off while the provider is down',
      )
    if (forgets && link.purpose === 'reset') await deleteSecondFactor(tx, link.user_id)
    const detail = { purpose: link.purpose, forgets_second_factor: forgets }
    await recordAudit(
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
