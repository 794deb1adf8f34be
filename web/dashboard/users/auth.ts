import { passkeyClient } from '@better-auth/passkey/client'
import { createAuthClient } from 'better-auth/client'
import { twoFactorClient } from 'better-auth/client/plugins'
import { loseConnection } from '../core/connection.ts'
import { Failure } from '../core/failure.ts'
import { awaitRenewal, forgetSession } from '../core/session.ts'

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch {
    loseConnection()
    throw new Failure(0, null)
  }
}

/** Sign-in, second factor, passkeys and sessions, by the client of the server's auth library. */
export const auth = createAuthClient({
  baseURL: location.origin,
  basePath: '/api/auth',
  fetchOptions: { customFetchImpl: send },
  plugins: [twoFactorClient(), passkeyClient()],
})

interface Answer<T> {
  data: T | null
  error: { status: number; code?: string; message?: string } | null
}

/**
 * Returns the response, or throws a Failure. A call that needs a recent session asks for a sign-in, and is
 * then repeated.
 */
export async function takeAuth<T>(ask: () => Promise<Answer<T> | undefined>): Promise<T> {
  const { data, error } = (await ask()) ?? { data: null, error: null }
  const isStale = error?.code === 'SESSION_NOT_FRESH'
  const renewed = isStale || error?.code === 'UNAUTHORIZED' ? awaitRenewal(isStale) : null
  if (renewed) {
    await renewed
    return takeAuth(ask)
  }
  if (error) throw new Failure(error.status, error)
  return data as T
}

/** Ends the session and clears the page; if the settings say so, signs out of the provider too. */
export async function leave(): Promise<void> {
  const { url } = await takeAuth(() => auth.signOut({ callbackURL: '/sign-in', disableRedirect: true }))
  forgetSession()
  location.assign(url ?? '/sign-in')
}
