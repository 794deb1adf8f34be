import type { MayReach } from '../../../core/http/guarded-agent.ts'
import { codeOf } from '../../../core/thrown.ts'
import { MailboxError, type MailboxFailure } from './failure.ts'
import type { MailboxSecrets, OauthSettings } from './mailbox.ts'
import { requestToken, type TokenResponse } from './token-request.ts'

/** Requests tokens from a provider, and explains why it issues none. */

export interface Tokens {
  access_token: string
  /** Milliseconds since 1970. */
  access_expires_at: number
  refresh_token?: string
}

const appErrors = ['invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_grant_type']

const usualSeconds = 3_600

/** Microsoft's error texts contain a code that people can look up. */
function reasonOf({ error, error_description }: TokenResponse['body']): string {
  const [code] = /AADSTS\d+/.exec(String(error_description)) ?? []
  return [String(error).slice(0, 100), code].filter(Boolean).join(', ')
}

function describeRefusal({ status, body, waitMs }: TokenResponse, host: string): MailboxFailure {
  const wait = waitMs === undefined ? {} : { waitMs }
  if (status === 429) return { code: 'throttled', values: { host }, ...wait }
  if (body.error === 'redirect_uri_mismatch')
    return { code: 'redirect_refused', values: { host }, isFinal: true }
  if (typeof body.error === 'string' && appErrors.includes(body.error))
    return { code: 'app_refused', values: { host, reason: reasonOf(body) }, isFinal: true }
  return { code: 'token_server', values: { host, status: String(status) }, ...wait }
}

function describeUnreachable(error: unknown, host: string): MailboxFailure {
  const reason = codeOf(error)
  return {
    code: reason === 'EBLOCKED' ? 'eblocked' : 'token_server_unreachable',
    values: { host, reason },
  }
}

/** `describeGrant` explains why the provider rejected the refresh token or the code. */
export async function fetchTokens(
  oauth: OauthSettings,
  { client_secret }: Pick<MailboxSecrets, 'client_secret'>,
  fields: Record<string, string>,
  { mayReach, describeGrant }: { mayReach: MayReach; describeGrant(): MailboxFailure },
): Promise<Tokens> {
  const { host } = new URL(oauth.token_url)
  const all = { client_id: oauth.client_id, ...(client_secret && { client_secret }), ...fields }
  const answer = await requestToken(oauth.token_url, all, mayReach).catch(error => {
    throw new MailboxError(describeUnreachable(error, host))
  })
  const { access_token, expires_in, refresh_token, error } = answer.body
  if (error === 'invalid_grant') throw new MailboxError(describeGrant())
  if (answer.status !== 200 || typeof access_token !== 'string' || !access_token)
    throw new MailboxError(describeRefusal(answer, host))
  const seconds = Number(expires_in) > 0 ? Number(expires_in) : usualSeconds
  return {
    access_token,
    access_expires_at: Date.now() + seconds * 1_000,
    ...(typeof refresh_token === 'string' && refresh_token && { refresh_token }),
  }
}
