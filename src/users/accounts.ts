import type { Config } from '../core/config/config.ts'
import { SettingError } from '../core/config/setup-error.ts'
import type { Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
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

/** The signed-in user, and the cookies for the response. */
export interface SignedInSession {
  id: string
  user: {
    id: string
    name: string
    email: string
    /** Whether the session satisfies projects that require a second step. */
    hasSecondFactor: boolean
  }
  cookies: string[]
}

export interface Users {
  /** The operations of better-auth, below /api/auth. */
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

/** Loads better-auth when somebody signs in. Before that, it would only take memory and time. */
export function openUsers(deps: AuthDeps): Users {
  checkSettings(deps.config)
  let loading: Promise<Auth> | undefined
  const load = () => (loading ??= import('./auth.ts').then(({ createAuth }) => createAuth(deps)))
  const find = createSessionLookup(deps)
  const show = sessionOf(deps.config)
  const findKnown = (headers: Headers) => find(headers.get('cookie') ?? '')

  /** On a full disk, sessions cannot be extended but remain valid until they end. better-auth logs the error. */
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

/** Null if an account with this address exists. */
export async function createUser(
  sql: Sql,
  { name, email, hash }: { name: string; email: string; hash: string },
): Promise<string | null> {
  const id = newId()
  if (!(await insertUser(sql, { id, name, email }))) return null
  await updatePassword(sql, id, hash)
  return id
}

/** Changes the password. Second factors and passkeys stay. Connections to the provider are removed, all sessions of the user end, and earlier wrong passwords are forgotten. */
export async function changePassword(sql: Sql, user: UserRow, hash: string): Promise<void> {
  await updatePassword(sql, user.id, hash)
  await deleteOtherLogins(sql, user.id)
  await deleteSessions(sql, user.id)
  await forgetAttemptsAt(sql, user.email)
}

/** With `OIDC_ONLY`, ends sessions that began in another way. */
export async function endOwnSessions(sql: Sql, { oidcOnly }: Config): Promise<void> {
  if (oidcOnly === 'on') await deleteOwnSessions(sql)
}

export const endSessions = async (sql: Sql, userId: string): Promise<void> =>
  void (await deleteSessions(sql, userId))
