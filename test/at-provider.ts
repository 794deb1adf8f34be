import assert from 'node:assert/strict'
import { passProvider, type startProvider } from './oidc.ts'
import type { Browser } from './operator.ts'

type Provider = Awaited<ReturnType<typeof startProvider>>

interface Way {
  from?: '/sign-in/social' | '/link-social'
  /** The page that the browser should return to. */
  to?: string
}

/** Goes to the provider and back, and returns the address that the browser is then sent to. */
export async function comeBack(
  browser: Browser,
  email: string,
  { from = '/sign-in/social', to = '/' }: Way = {},
) {
  const begun = await browser.auth.post(from, { provider: 'oidc', callbackURL: to })
  assert.equal(begun.status, 200, begun.text)
  const { search } = await passProvider(begun.body.url, email)
  const answer = await browser.auth.get(`/callback/oidc${search}`)
  assert.equal(answer.status, 302, answer.text)
  return new URL(answer.headers.get('location')!, 'http://localhost')
}

/** The same for a new account at the provider, whose address the provider has verified. */
export function signInAt(provider: Provider, browser: Browser, email: string, way: Way = {}) {
  provider.know({ email, email_verified: true, name: 'Nina' })
  return comeBack(browser, email, way)
}

export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.own.get('/me')).status === 200

/** The error code in the address. */
export const errorIn = ({ searchParams }: URL): string | null => searchParams.get('error')
