import { setTimeout as pause } from 'node:timers/promises'
import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import type { MailboxFailure } from './failure.ts'
import { fetchTokens } from './fetch-tokens.ts'
import type { FetchedMailbox, MailboxSecrets, OauthSettings } from './mailbox.ts'
import { findFetchedMailbox } from './queries.ts'
import { openSecrets, sealSecrets } from './secrets.ts'
import { lockRenewal, updateRenewalEnded, updateSecrets } from './token-queries.ts'

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

/** Milliseconds between checks whether another process has renewed the token. */
const pollIntervalMs = 250

const grantOf = (oauth: OauthSettings, { refresh_token }: MailboxSecrets): Record<string, string> => ({
  grant_type: oauth.grant,
  ...(oauth.grant === 'refresh_token' && { refresh_token: refresh_token ?? '' }),
  ...(oauth.scope && { scope: oauth.scope }),
})

/** A Google refresh token that is revoked within 8 days most likely belongs to an unpublished app. */
function describeRevoked({ provider }: OauthSettings, { connected_at }: MailboxSecrets): MailboxFailure {
  const isYoung = connected_at !== undefined && Date.now() - connected_at < testingMs
  const code = provider === 'google' && isYoung ? 'app_in_testing' : 'access_revoked'
  return { code, values: {}, isFinal: true }
}

/** A rejected token is renewed even if it has not expired. */
type IsUsable = (secrets: MailboxSecrets) => boolean

const usableUnless =
  (rejected: string | null): IsUsable =>
  ({ access_token, access_expires_at = 0 }) =>
    access_token !== undefined && access_token !== rejected && access_expires_at - marginMs > Date.now()

/** Requests new tokens, and keeps them in the mailbox's encrypted secrets. */
async function renew({ vault, mayReach }: TokenDeps, mailbox: FetchedMailbox, oauth: OauthSettings) {
  const used = openSecrets(vault, mailbox)
  const describeGrant = () => describeRevoked(oauth, used)
  const tokens = await fetchTokens(oauth, used, grantOf(oauth, used), { mayReach, describeGrant })
  mailbox.secrets = sealSecrets(vault, mailbox.project_id, mailbox.id, { ...used, ...tokens })
  return tokens.access_token
}

/** Another process may have renewed the token since the mailbox was read, so the secrets that the claim returned are used. */
async function renewClaimed(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  oauth: OauthSettings,
  { basis, isUsable }: { basis: Buffer | null; isUsable: IsUsable },
): Promise<string> {
  const { project_id, id } = mailbox
  mailbox.secrets = basis
  const current = openSecrets(deps.vault, mailbox)
  if (isUsable(current)) return current.access_token!
  const accessToken = await renew(deps, mailbox, oauth)
  await updateSecrets(deps.db, project_id, id, { sealed: mailbox.secrets!, basis })
  return accessToken
}

/** Returns the mailbox's access token. A renewed one is stored together with its new refresh token. */
export async function getAccessToken(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  oauth: OauthSettings,
  rejected: string | null = null,
): Promise<string> {
  const { project_id, id } = mailbox
  const isUsable = usableUnless(rejected)
  for (;;) {
    const secrets = openSecrets(deps.vault, mailbox)
    if (isUsable(secrets)) return secrets.access_token!
    const claimed = await lockRenewal(deps.db, project_id, id)
    if (claimed)
      return await renewClaimed(deps, mailbox, oauth, { basis: claimed.secrets, isUsable }).finally(() =>
        updateRenewalEnded(deps.db, project_id, id),
      )
    const stored = await findFetchedMailbox(deps.db, project_id, id)
    // A mailbox that is being tested before it is stored.
    if (!stored) return renew(deps, mailbox, oauth)
    mailbox.secrets = stored.secrets
    await pause(pollIntervalMs)
  }
}
