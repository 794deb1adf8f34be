import Type, { type Static } from 'typebox'
import { recordAudit } from '../audit/audit.ts'
import type { Config } from '../core/config/config.ts'
import type { Sql } from '../core/db/db.ts'
import { type Call, type Endpoint, endpoint } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { id } from '../core/schema.ts'
import { sessionOf } from './gate.ts'

/** Whether a project requires a second step of its people. */

const requirement = Type.Object({ requires_second_factor: Type.Boolean() }, { additionalProperties: false })
type Requirement = Static<typeof requirement>

const securityView = Type.Object({
  ...requirement.properties,
  without_second_step: Type.Array(Type.Object({ id, name: Type.String(), email: Type.String() }), {
    description: 'People who cannot work in the project until they set up two-factor authentication',
  }),
})

/** Returns false if nothing changed. */
export async function updateSecurity(sql: Sql, projectId: string, requires: boolean): Promise<boolean> {
  const { count } = await sql`
    update projects set requires_second_factor = ${requires}
    where id = ${projectId} and requires_second_factor <> ${requires}`
  return count > 0
}

/** If a sign-in at the provider counts as a second step, people with a connected account are not listed. */
const listWithout = (sql: Sql, projectId: string, providerCounts: boolean) => sql<
  { id: string; name: string; email: string }[]
>`
  select o.id, o.name, o.email from operators o join users u on u.id = o.user_id
  where o.project_id = ${projectId} and o.removed_at is null and not u.two_factor_enabled
    and not (${providerCounts} and exists (
      select from user_logins where user_id = u.id and provider_id = 'oidc'))
  order by lower(o.name), o.id`

async function showSecurity(sql: Sql, projectId: string, { oidcSecondStep }: Pick<Config, 'oidcSecondStep'>) {
  const [row] = await sql<Requirement[]>`select requires_second_factor from projects where id = ${projectId}`
  return { ...row!, without_second_step: await listWithout(sql, projectId, oidcSecondStep === 'provider') }
}

/** Only owners who have a second step themselves can require one. Otherwise they would lock themselves out. */
async function changeSecurity({ db, project, actor, body, request }: Call<unknown, Requirement>) {
  const { requires_second_factor } = body
  if (requires_second_factor && !sessionOf(request).user.hasSecondFactor)
    throw new ApiError('SECOND_FACTOR_REQUIRED')
  await db.begin(async tx => {
    if (await updateSecurity(tx, project.id, requires_second_factor))
      await recordAudit(
        tx,
        project.id,
        actor,
        'project.security_changed',
        { type: 'project', id: project.id },
        body,
      )
  })
  return body
}

export const securityEndpoints = (config: Pick<Config, 'oidcSecondStep'>): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/security',
    tag: 'People',
    summary: 'Read whether two-factor authentication is required, and who has not set it up',
    minRole: 'owner',
    responses: { 200: securityView },
    errors: [],
    run: ({ db, project }) => showSecurity(db, project.id, config),
  }),
  endpoint({
    method: 'PATCH',
    path: '/security',
    tag: 'People',
    summary: 'Set whether two-factor authentication is required',
    minRole: 'owner',
    body: requirement,
    responses: { 200: requirement },
    errors: [],
    run: changeSecurity,
  }),
]
