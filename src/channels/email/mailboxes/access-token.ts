import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db.ts'
import type { MayReach } from '../../../core/guarded-agent.ts'
import { codeOf } from '../../../core/setup-error.ts'
import { MailboxError } from './failure.ts'
import type { FetchedMailbox, MailboxSecrets, OauthSettings } from './mailbox.ts'
import { findFetchedMailbox, updateSecrets } from './queries.ts'
import { openSecrets, sealSecrets } from './secrets.ts'
import { requestToken, type TokenResponse } from './token-request.ts'

/** Access tokens for OAuth 2 mailboxes. Providers may issue a new refresh token with every use. */

export interface TokenDeps {
  db: Db
  vault: Vault
  mayReach: MayReach
}

/** How many milliseconds before its expiry a token is renewed. */
const marginMs = 120_000

/** Milliseconds. Google revokes refresh tokens after 7 days while the app's publishing status is "Testing". */
const testingMs = 8 * 86_400_000

function fieldsOf(oauth: OauthSettings, { refresh_token, client_secret }: MailboxSecrets) {
  return {
    grant_type: oauth.grant,
    client_id: oauth.client_id,
    ...(client_secret && { client_secret }),
    ...(oauth.grant === 'refresh_token' && { refresh_token: refresh_token ?? '' }),
    ...(oauth.scope && { scope: oauth.scope }),
  }
}

/** A Google refresh token that is revoked within 8 days most likely belongs to an unpublished app. */
function describeRevoked({ provider }: OauthSettings, { connected_at }: MailboxSecrets): MailboxError {
  const isYoung = connected_at !== undefined && Date.now() - connected_at < testingMs
  const code = provider === 'google' && isYoung ? 'app_in_testing' : 'access_revoked'
  return new MailboxError({ code, values: {}, isFinal: true })
}

const finalErrors = ['invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_grant_type']

function refuseToken({ status, body }: TokenResponse, oauth: OauthSettings, secrets: MailboxSecrets): Error {
  if (body.error === 'invalid_grant') return describeRevoked(oauth, secrets)
  const host = new URL(oauth.token_url).host
  if (typeof body.error === 'string' && finalErrors.includes(body.error))
    return new MailboxError({ code: 'app_refused', values: { host, reason: body.error }, isFinal: true })
  return new MailboxError({ code: 'token_server', values: { host, status: String(status) } })
}

async function ask(
  { mayReach }: TokenDeps,
  oauth: OauthSettings,
  secrets: MailboxSecrets,
): Promise<MailboxSecrets> {
  const host = new URL(oauth.token_url).host
  const answer = await requestToken(oauth.token_url, fieldsOf(oauth, secrets), mayReach).catch(error => {
    const reason = codeOf(error)
    throw new MailboxError({
      code: reason === 'EBLOCKED' ? 'eblocked' : 'token_server_unreachable',
      values: { host, reason },
    })
  })
  const { access_token, expires_in, refresh_token } = answer.body
  if (answer.status !== 200 || typeof access_token !== 'string') throw refuseToken(answer, oauth, secrets)
  const seconds = Number(expires_in) > 0 ? Number(expires_in) : 3_600
  return {
    ...secrets,
    access_token,
    access_expires_at: Date.now() + seconds * 1_000,
    ...(typeof refresh_token === 'string' && refresh_token && { refresh_token }),
  }
}

interface Renewed {
  secrets: MailboxSecrets
  /** The encrypted secrets as they were stored before this request. */
  basis: Buffer | null
}

/** A rejected refresh token may have been replaced since it was read, by another process or in the settings. */
async function renew(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  oauth: OauthSettings,
  used: MailboxSecrets,
): Promise<Renewed> {
  try {
    return { secrets: await ask(deps, oauth, used), basis: mailbox.secrets }
  } catch (error) {
    const fresh = await findFetchedMailbox(deps.db, mailbox.project_id, mailbox.id)
    const newer = fresh ? openSecrets(deps.vault, fresh) : used
    if (newer.refresh_token === used.refresh_token) throw error
    return { secrets: await ask(deps, oauth, newer), basis: fresh!.secrets }
  }
}

const isFresh = ({ access_token, access_expires_at = 0 }: MailboxSecrets): boolean =>
  access_token !== undefined && access_expires_at - marginMs > Date.now()

/** Returns the mailbox's access token. A renewed one is stored together with its new refresh token. */
export async function getAccessToken(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  oauth: OauthSettings,
  isRefused = false,
): Promise<string> {
  const secrets = openSecrets(deps.vault, mailbox)
  if (isFresh(secrets) && !isRefused) return secrets.access_token!
  const renewed = await renew(deps, mailbox, oauth, secrets)
  const sealed = sealSecrets(deps.vault, mailbox.project_id, mailbox.id, renewed.secrets)
  await updateSecrets(deps.db, mailbox.project_id, mailbox.id, { sealed, basis: renewed.basis })
  mailbox.secrets = sealed
  return renewed.secrets.access_token!
}
