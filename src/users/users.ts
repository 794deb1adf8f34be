import type { Config } from '../core/config.ts'
import type { Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { SetupError } from '../core/setup-error.ts'
import { forgetAttempts } from './attempts.ts'
import type { AuthDeps } from './auth.ts'
import { deleteOtherLogins, deleteSessions, insertUser, type UserRow, upsertPassword } from './queries.ts'

/** Who is signed in, and what the answer must tell the browser about it. */
export interface Session {
  id: string
  user: { id: string; name: string; email: string; hasSecondFactor: boolean }
  cookies: string[]
}

export interface Users {
  /** The library's own operations, below /api/auth. */
  answer(request: Request): Promise<Response>
  findSession(headers: Headers): Promise<Session | null>
  /** The cookies of a new session. */
  openSession(userId: string, headers: Headers): Promise<string[]>
  hashPassword(password: string): Promise<string>
}

/** What the library knows of a user; the field of its second factor is lost among the types of its plugins. */
interface SignedIn {
  id: string
  name: string
  email: string
  twoFactorEnabled?: boolean | null
}

function checkSettings({ oidcIssuer, oidcClientId, oidcClientSecret }: Config): void {
  if (oidcIssuer && !(oidcClientId && oidcClientSecret))
    throw new SetupError('OIDC_ISSUER: set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET too')
}

/** The library is loaded where people sign in: the command line and other roles start without it. */
export async function openUsers(deps: AuthDeps): Promise<Users> {
  checkSettings(deps.config)
  const { createAuth } = await import('./auth.ts')
  const auth = createAuth(deps)
  return {
    answer: request => auth.handler(request),
    async findSession(headers) {
      const { response, headers: answered } = await auth.api.getSession({ headers, returnHeaders: true })
      if (!response) return null
      const { id, name, email, twoFactorEnabled } = response.user as SignedIn
      const user = { id, name, email, hasSecondFactor: twoFactorEnabled === true }
      return { id: response.session.id, user, cookies: answered.getSetCookie() }
    },
    async openSession(userId, headers) {
      const { headers: answered } = await auth.api.openSession({
        body: { userId },
        headers,
        returnHeaders: true,
      })
      return answered.getSetCookie()
    },
    hashPassword: async password => (await auth.$context).password.hash(password),
  }
}

/** Null when somebody has this address already. */
export async function createUser(
  sql: Sql,
  { name, email, hash }: { name: string; email: string; hash: string },
): Promise<string | null> {
  const id = newId()
  if (!(await insertUser(sql, { id, name, email }))) return null
  await upsertPassword(sql, id, hash)
  return id
}

/** No other way in is left, everybody who is signed in as this user is signed out, and nobody who guessed before keeps the user waiting. */
export async function changePassword(sql: Sql, user: UserRow, hash: string): Promise<void> {
  await upsertPassword(sql, user.id, hash)
  await deleteOtherLogins(sql, user.id)
  await deleteSessions(sql, user.id)
  await forgetAttempts(sql, 'account', user.email)
}

export const endSessions = async (sql: Sql, userId: string): Promise<void> =>
  void (await deleteSessions(sql, userId))

export { countAttempt } from './attempts.ts'
export { mountDoor } from './door.ts'
export { deleteEnded } from './ended.ts'
export { headersOf } from './headers.ts'
export { addressOf, createLink, deleteLinks, getLink, type Link, takeLink } from './links.ts'
export { findPicture, removePicture, setPicture } from './pictures.ts'
export {
  findUser,
  findUserByEmail,
  forgetSecondFactor,
  hasPassword,
  type UserRow,
  updateUser,
  verifyEmail,
} from './queries.ts'
export { endOtherSessions, endSession, listSessions } from './sessions.ts'
