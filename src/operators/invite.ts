import { recordAudit } from '../audit/audit.ts'
import type { Sql } from '../core/db/db.ts'
import { foldEmail } from '../core/email.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { addMailedToken, createLink, linkUrlOf } from '../users/users.ts'
import type { OperatorDeps } from './deps.ts'
import { inviteMail, trySendMail } from './mails.ts'
import { mayManageUser } from './may-manage.ts'
import { addOperator } from './operator-rows.ts'
import { getPerson, lockExistingPerson, requireOwner, setDepartments } from './people.ts'
import type { HandedLink, NewPerson, Person } from './schema.ts'

interface Invitation {
  operator: Person
  link: HandedLink
}

type Made = Awaited<ReturnType<typeof createLink>>

const nameOf = ({ actor }: Caller): string | null => (actor.type === 'operator' ? actor.name : null)

async function hand(
  deps: OperatorDeps,
  caller: Caller,
  email: string,
  { token, expires_at }: Made,
): Promise<HandedLink> {
  const { db, mailer, log, config } = deps
  const url = linkUrlOf(config.publicUrl, token)
  const mailedUrl = mailer ? linkUrlOf(config.publicUrl, await addMailedToken(db, token)) : url
  const [project] = await db<{ name: string; color: string | null; locale: string }[]>`
    select name, color, default_locale as locale from projects where id = ${caller.project.id}`
  const mail = inviteMail(email, project!, nameOf(caller), mailedUrl)
  return { url, expires_at, is_mailed: await trySendMail(mailer, mail, log) }
}

async function addPerson(
  tx: Sql,
  projectId: string,
  { email, name, role = 'operator' }: NewPerson,
): Promise<string> {
  const added = await addOperator(tx, projectId, { email, name, role })
  if (added === 'known') throw new ApiError('OPERATOR_EXISTS', { email })
  if ('seats' in added) throw new ApiError('OPERATOR_LIMIT_REACHED', { seats: added.seats })
  return added.id
}

async function findUserId(sql: Sql, projectId: string, operatorId: string): Promise<string | null> {
  const [row] = await sql<{ user_id: string | null }[]>`
    select user_id from operators where project_id = ${projectId} and id = ${operatorId} and removed_at is null`
  return row?.user_id ?? null
}

async function linkFor(
  tx: Sql,
  { project: { id: project_id }, actor }: Caller,
  operator_id: string,
  email: string,
): Promise<Made> {
  const made_by = actor.type === 'operator' ? await findUserId(tx, project_id, actor.id) : null
  return createLink(tx, { purpose: 'invite', project_id, operator_id, email, made_by })
}

export async function invitePerson(deps: OperatorDeps, caller: Caller, sent: NewPerson): Promise<Invitation> {
  const projectId = caller.project.id
  const input = { ...sent, email: foldEmail(sent.email) }
  if (input.role === 'owner') requireOwner(caller)
  const { id, link } = await deps.db.begin(async tx => {
    const id = await addPerson(tx, projectId, input)
    await setDepartments(tx, projectId, id, input.department_ids ?? [])
    const target = { type: 'operator', id, name: input.name }
    await recordAudit(tx, projectId, caller.actor, 'operator.invited', target, {
      email: input.email,
      role: input.role ?? 'operator',
    })
    return { id, link: await linkFor(tx, caller, id, input.email) }
  })
  const handed = await hand(deps, caller, input.email, link)
  return { operator: await getPerson(deps.db, projectId, id), link: handed }
}

/** Creates a new link and invalidates the previous one. */
export async function inviteAgain(deps: OperatorDeps, caller: Caller, id: string): Promise<Invitation> {
  const projectId = caller.project.id
  const { person, link } = await deps.db.begin(async tx => {
    const person = await lockExistingPerson(tx, projectId, id)
    if (person.user_id) throw new ApiError('INVITATION_ACCEPTED')
    if (person.role === 'owner') requireOwner(caller)
    await recordAudit(tx, projectId, caller.actor, 'operator.invited', {
      type: 'operator',
      id,
      name: person.name,
    })
    return { person, link: await linkFor(tx, caller, id, person.email) }
  })
  const handed = await hand(deps, caller, person.email, link)
  return { operator: await getPerson(deps.db, projectId, id), link: handed }
}

export async function makeResetLink(
  { db, config }: OperatorDeps,
  caller: Caller,
  callerUserId: string,
  id: string,
): Promise<HandedLink> {
  const projectId = caller.project.id
  if (config.oidcOnly === 'on') throw new ApiError('PASSWORDS_OFF')
  const { token, expires_at } = await db.begin(async tx => {
    const person = await lockExistingPerson(tx, projectId, id)
    if (!person.user_id) throw new ApiError('INVITATION_PENDING')
    // People change their own password with the current one.
    if (person.user_id === callerUserId) throw new ApiError('RESET_NOT_ALLOWED')
    if (!(await mayManageUser(tx, callerUserId, person.user_id))) throw new ApiError('RESET_NOT_ALLOWED')
    await recordAudit(tx, projectId, caller.actor, 'operator.reset', {
      type: 'operator',
      id,
      name: person.name,
    })
    return createLink(tx, { purpose: 'reset', user_id: person.user_id, made_by: callerUserId })
  })
  return { url: linkUrlOf(config.publicUrl, token), expires_at, is_mailed: false }
}
