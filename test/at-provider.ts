import assert from 'node:assert/strict'
import { passProvider, type startProvider } from './oidc.ts'
import type { Browser } from './operator.ts'

type Provider = Awaited<ReturnType<typeof startProvider>>

interface Way {
  from?: '/sign-in/social' | '/link-social'
  /** Where the browser wants to be when it is back. */
  to?: string
}

/** From Deskbell to the provider and back: where the browser is sent then. */
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

/** The same for somebody whom the provider knows from now on, with an address that it has verified. */
export function signInAt(provider: Provider, browser: Browser, email: string, way: Way = {}) {
  provider.know({ email, email_verified: true, name: 'Nina' })
  return comeBack(browser, email, way)
}

export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.own.get('/me')).status === 200

/** What the address says went wrong. */
export const errorIn = ({ searchParams }: URL): string | null => searchParams.get('error')
