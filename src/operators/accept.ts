import { recordAudit } from '../audit/audit.ts'
import type { Sql } from '../core/db/db.ts'
import { foldEmail } from '../core/email.ts'
import { ApiError, InvalidRequest } from '../core/errors.ts'
import {
  changePassword,
  createUser,
  deleteLinks,
  findUser,
  findUserByEmail,
  getLink,
  hashLink,
  type Link,
  updateEmailVerified,
  useLink,
} from '../users/users.ts'
import type { OperatorDeps } from './deps.ts'
import { isLinkAuthorized } from './may-manage.ts'
import { addOperator, findOperator } from './operator-rows.ts'
import { findProjectFace, listMemberships, updateOperatorJoined } from './people-queries.ts'
import type { Acceptance, ShownLink } from './schema.ts'

/** Accepting a link: it creates an account, a membership in a project, or a new password. */

export async function showLink(sql: Sql, token: string): Promise<ShownLink> {
  const { purpose, project_id, operator_id, user_id, email, expires_at } = await getLink(
    sql,
    hashLink(token),
    isLinkAuthorized,
  )
  const user = user_id ? await findUser(sql, user_id) : email ? await findUserByEmail(sql, email) : null
  const operator = project_id && operator_id ? await findOperator(sql, project_id, operator_id) : null
  return {
    purpose,
    project: project_id ? await findProjectFace(sql, project_id) : null,
    email: user?.email ?? email,
    name: operator?.name ?? user?.name ?? null,
    has_account: user !== null,
    expires_at,
  }
}

const missing = (field: string) =>
  new InvalidRequest([{ type: 'missing', loc: ['body', field], msg: 'Field required' }])

/** What the person who accepts a link provides. */
interface Bringing extends Acceptance {
  /** The hash of the password; null without one. */
  hash: string | null
  /** The user who is signed in; null for nobody. */
  userId: string | null
}

/** The user who is signed in, or a new account. To join with an existing account, one must sign in to it. */
async function findOrCreateUser(tx: Sql, email: string | null, bringing: Bringing): Promise<string> {
  if (bringing.userId) return bringing.userId
  if (!email) throw missing('email')
  if (await findUserByEmail(tx, email)) throw new ApiError('SIGN_IN_FIRST', { email })
  if (!bringing.name) throw missing('name')
  if (!bringing.hash) throw missing('password')
  const id = await createUser(tx, { name: bringing.name, email, hash: bringing.hash })
  if (!id) throw new ApiError('SIGN_IN_FIRST', { email })
  return id
}

/** A mailed link proves that the person owns the address; a copied link does not. */
async function proveAddress(tx: Sql, { email, is_mailed }: Link, userId: string): Promise<void> {
  const user = (await findUser(tx, userId))!
  if (is_mailed && email && foldEmail(email) === foldEmail(user.email)) await updateEmailVerified(tx, userId)
}

async function join(tx: Sql, projectId: string, operatorId: string, userId: string): Promise<void> {
  const others = await listMemberships(tx, userId)
  if (others.some(({ project_id }) => project_id === projectId))
    throw new ApiError('OPERATOR_EXISTS', { reason: 'you_are_in_already' })
  const user = await findUser(tx, userId)
  if (!(await updateOperatorJoined(tx, projectId, operatorId, userId, user!.name)))
    throw new ApiError('LINK_USED')
  const { name, role, avatar_url } = (await findOperator(tx, projectId, operatorId))!
  const author = { type: 'operator' as const, id: operatorId, name, role, avatar_url }
  await recordAudit(
    tx,
    projectId,
    author,
    'operator.joined',
    { type: 'operator', id: operatorId, name },
    { email: user!.email, email_is_proven: user!.email_verified },
  )
}

export async function acceptInvitation(tx: Sql, link: Link, bringing: Bringing) {
  const userId = await findOrCreateUser(tx, link.email, bringing)
  await proveAddress(tx, link, userId)
  await join(tx, link.project_id!, link.operator_id!, userId)
  return userId
}

async function setUp(tx: Sql, { project_id, email }: Link, bringing: Bringing) {
  const userId = await findOrCreateUser(tx, email ?? bringing.email ?? null, bringing)
  const user = (await findUser(tx, userId))!
  const added = await addOperator(tx, project_id!, { name: user.name, email: user.email, role: 'owner' })
  if (added === 'known') throw new ApiError('OPERATOR_EXISTS', { email: user.email })
  if ('seats' in added) throw new ApiError('OPERATOR_LIMIT_REACHED', { seats: added.seats })
  await join(tx, project_id!, added.id, userId)
  return userId
}

/** Resets a password. If the link contains an address, it was mailed. */
async function reset(tx: Sql, { user_id, email }: Link, { hash }: Bringing) {
  if (!hash) throw missing('password')
  const user = (await findUser(tx, user_id!))!
  await changePassword(tx, user, hash)
  await deleteLinks(tx, { purpose: 'reset', user_id: user.id })
  if (email) await updateEmailVerified(tx, user.id)
  for (const { project_id, id, name } of await listMemberships(tx, user.id)) {
    await recordAudit(
      tx,
      project_id,
      { type: 'system' },
      'operator.password_changed',
      { type: 'operator', id, name },
      { link_was_mailed: email !== null },
    )
  }
  return user.id
}

const deeds = { invite: acceptInvitation, set_up: setUp, reset }

export interface Accepted {
  link: Link
  userId: string
}

/** If several people use a link at the same time, one succeeds. A failed attempt does not use up the link. */
export async function acceptLink(
  { db, users, config }: OperatorDeps,
  token: string,
  input: Acceptance,
  userId: string | null,
): Promise<Accepted> {
  // Checked first, so that an invalid link does not cost a password hash.
  const linkHash = hashLink(token)
  const { purpose } = await getLink(db, linkHash, isLinkAuthorized)
  if (config.oidcOnly === 'on' && (purpose === 'reset' || !userId)) throw new ApiError('PASSWORDS_OFF')
  const hash = input.password ? await users.hashPassword(input.password) : null
  return db.begin(async tx => {
    const link = await useLink(tx, linkHash, isLinkAuthorized)
    return { link, userId: await deeds[link.purpose](tx, link, { ...input, hash, userId }) }
  })
}
