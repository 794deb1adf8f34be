import type { Config } from '../core/config.ts'
import type { Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { SettingError } from '../core/setup-error.ts'
import { forgetAttemptsAt } from './attempts.ts'
import type { Auth, AuthDeps } from './auth.ts'
import { createSessionLookup } from './lookup.ts'
import {
  deleteOtherLogins,
  deleteOwnSessions,
  deleteSessions,
  insertUser,
  type OpenSession,
  type UserRow,
  updatePassword,
} from './queries.ts'

/** Who is signed in, and what the answer must tell the browser about it. */
export interface SignedInSession {
  id: string
  user: {
    id: string
    name: string
    email: string
    /** Whether the session passes where a second step is required. */
    hasSecondFactor: boolean
  }
  cookies: string[]
}

export interface Users {
  /** The library's own operations, below /api/auth. */
  answer(request: Request): Promise<Response>
  findSession(headers: Headers): Promise<SignedInSession | null>
  /** The cookies of a new session. */
  openSession(userId: string, headers: Headers): Promise<string[]>
  hashPassword(password: string): Promise<string>
}

export function checkSettings({ oidcIssuer, oidcClientId, oidcClientSecret, oidcOnly }: Config): void {
  if (oidcOnly === 'on' && !oidcIssuer)
    throw new SettingError('OIDC_ONLY: set OIDC_ISSUER too, or nobody can sign in')
  if (oidcIssuer && !(oidcClientId && oidcClientSecret))
    throw new SettingError('OIDC_ISSUER: set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET too')
}

const sessionOf =
  ({ oidcSecondStep }: Config) =>
  (
    { id, user_id, name, email, two_factor_enabled, provider }: OpenSession,
    cookies: string[],
  ): SignedInSession => ({
    id,
    user: {
      id: user_id,
      name,
      email,
      hasSecondFactor: two_factor_enabled || (provider !== null && oidcSecondStep === 'provider'),
    },
    cookies,
  })

/** The library is loaded when somebody signs in: until then it would only take memory and time. */
export function openUsers(deps: AuthDeps): Users {
  checkSettings(deps.config)
  let loading: Promise<Auth> | undefined
  const load = () => (loading ??= import('./auth.ts').then(({ createAuth }) => createAuth(deps)))
  const find = createSessionLookup(deps)
  const show = sessionOf(deps.config)
  const findKnown = (headers: Headers) => find(headers.get('cookie') ?? '')

  /** On a full disk no session can be prolonged: until it ends it stays good. The library logs why. */
  async function prolong(due: OpenSession, headers: Headers): Promise<SignedInSession | null> {
    const { api } = await load()
    try {
      const { response, headers: answered } = await api.getSession({ headers, returnHeaders: true })
      return response && show(due, answered.getSetCookie())
    } catch {
      const known = await findKnown(headers)
      return known && show(known, [])
    }
  }

  return {
    answer: async request => (await load()).handler(request),
    async findSession(headers) {
      const known = await findKnown(headers)
      if (!known?.is_due) return known && show(known, [])
      return prolong(known, headers)
    },
    async openSession(userId, headers) {
      const { headers: answered } = await (await load()).api.openSession({
        body: { userId },
        headers,
        returnHeaders: true,
      })
      return answered.getSetCookie()
    },
    hashPassword: async password => (await (await load()).$context).password.hash(password),
  }
}

/** Null when somebody has this address already. */
export async function createUser(
  sql: Sql,
  { name, email, hash }: { name: string; email: string; hash: string },
): Promise<string | null> {
  const id = newId()
  if (!(await insertUser(sql, { id, name, email }))) return null
  await updatePassword(sql, id, hash)
  return id
}

/** Second factors and passkeys stay. No account elsewhere opens this one, everybody who is signed in as this user is signed out, and nobody who guessed before keeps the user waiting. */
export async function changePassword(sql: Sql, user: UserRow, hash: string): Promise<void> {
  await updatePassword(sql, user.id, hash)
  await deleteOtherLogins(sql, user.id)
  await deleteSessions(sql, user.id)
  await forgetAttemptsAt(sql, user.email)
}

/** Where people sign in at the provider only, sessions that began otherwise are over. */
export async function endOwnSessions(sql: Sql, { oidcOnly }: Config): Promise<void> {
  if (oidcOnly === 'on') await deleteOwnSessions(sql)
}

export const endSessions = async (sql: Sql, userId: string): Promise<void> =>
  void (await deleteSessions(sql, userId))

export { spendAttempts } from './attempts.ts'
export { mountAuthRoutes } from './auth-routes.ts'
export { deleteExpiredRows } from './expired-rows.ts'
export { headersOf } from './headers.ts'
export {
  addMailedToken,
  createLink,
  deleteLinks,
  getLink,
  hashLink,
  type Link,
  linkUrlOf,
  useLink,
} from './links.ts'
export { findPicture, removePicture, setPicture } from './pictures.ts'
export {
  deleteSecondFactor,
  findGroups,
  findUser,
  findUserByEmail,
  hasPassword,
  hasSecondFactorOrPasskey,
  storedEmail,
  type UserRow,
  updateEmailVerified,
  updateUser,
} from './queries.ts'
export type { SecurityChange } from './security-changes.ts'
export { endOtherSessions, listSessions, revokeSession } from './sessions.ts'
