import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../core/crypto.ts'
import { ApiError, refuse } from '../../../core/errors.ts'
import { addressRuleOf } from '../../../core/http/address.ts'
import { isId } from '../../../core/ids.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import { isMoved, readImap } from '../mailboxes/imap-settings.ts'
import type {
  FetchedMailbox,
  ImapInput,
  ImapSettings,
  NewMailbox,
  OauthSettings,
} from '../mailboxes/mailbox.ts'
import { readOwnAddress, requireSettings } from '../mailboxes/mailbox-input.ts'
import { findAuthorizeUrl } from '../mailboxes/presets.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { openSecrets } from '../mailboxes/secrets.ts'
import { readSmtp } from '../mailboxes/smtp-settings.ts'
import { deleteSignIn, insertSignIn, type SignInKey } from './sign-in-queries.ts'
import type { TrialDeps } from './try-mailbox.ts'

/** Sends a person to the sign-in page of a mailbox's provider: OAuth 2 with an authorization code and PKCE. */

export interface SignInCaller extends AccountCaller {
  sessionId: string
}

export type NewSignIn = Pick<NewMailbox, 'address' | 'start_from' | 'start_days' | 'sending' | 'smtp'> & {
  imap: ImapInput
}

export type SignInSettings = ImapSettings & { oauth: OauthSettings }

/** The data for finishing the sign-in. It is encrypted in the database, and the person's browser gets only the state. */
export interface PendingSignIn {
  /** Null for a new mailbox. */
  mailbox_id: string | null
  mailbox: Omit<NewMailbox, 'imap' | 'incoming'>
  imap: SignInSettings
  client_secret?: string
  verifier: string
}

export interface BegunSignIn {
  authorize_url: string
}

export const redirectUriOf = ({ publicUrl }: TrialDeps['config'], projectId: string): string =>
  `${publicUrl}/p/${projectId}/settings/mailboxes/signed-in`

const makeSecret = (): string => randomBytes(32).toString('base64url')

const keyOf = ({ project, sessionId }: SignInCaller, state: string): SignInKey => ({
  project_id: project.id,
  state_hash: sha256(state),
  session_id: sessionId,
})

const labelOf = ({ project_id, state_hash, session_id }: SignInKey): string =>
  `mailbox_sign_ins ${project_id} ${session_id} ${state_hash.toString('hex')}`

/** The parameters that make each provider issue a refresh token, and let the person choose the account. */
const extrasOf = ({ oauth: { provider }, user }: SignInSettings): Record<string, string> => {
  if (provider === 'google')
    return { access_type: 'offline', prompt: 'consent select_account', login_hint: user }
  // For a shared mailbox, someone who has access to it signs in, so its address is no hint.
  return { prompt: provider === 'microsoft' ? 'select_account' : 'consent' }
}

function makeAuthorizeUrl(
  { config }: TrialDeps,
  projectId: string,
  { imap, verifier }: PendingSignIn,
  state: string,
): string {
  const url = new URL(findAuthorizeUrl(imap.oauth)!)
  const parameters = {
    response_type: 'code',
    client_id: imap.oauth.client_id,
    redirect_uri: redirectUriOf(config, projectId),
    scope: imap.oauth.scope,
    state,
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
    ...extrasOf(imap),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export async function beginSignIn(
  deps: TrialDeps,
  caller: SignInCaller,
  pending: Omit<PendingSignIn, 'verifier'>,
): Promise<BegunSignIn> {
  const state = makeSecret()
  const key = keyOf(caller, state)
  const begun = { ...pending, verifier: makeSecret() }
  await insertSignIn(deps.db, key, deps.vault.seal(JSON.stringify(begun), labelOf(key)))
  return { authorize_url: makeAuthorizeUrl(deps, key.project_id, begun, state) }
}

/** Ends a sign-in. The error is the same if the state is unknown, used or expired, or belongs to another session. */
export async function endSignIn(
  deps: TrialDeps,
  caller: SignInCaller,
  state: string,
): Promise<PendingSignIn> {
  const key = keyOf(caller, state)
  const sealed = await deleteSignIn(deps.db, key)
  if (!sealed) throw new ApiError('MAILBOX_SIGN_IN_NOT_FOUND')
  return JSON.parse(deps.vault.open(sealed, labelOf(key)))
}

function readSettings(
  { config }: TrialDeps,
  { oauth, ...input }: ImapInput,
  mailbox: Pick<FetchedMailbox, 'address' | 'imap'>,
): SignInSettings {
  const { isAllowed: mayReach } = addressRuleOf(config)
  const wanted = { ...input, auth: 'oauth' as const, oauth: { ...oauth, grant: 'refresh_token' as const } }
  const settings = readImap(wanted, mailbox.imap, { address: mailbox.address, mayReach })
  const own = settings.oauth
  if (!own || !findAuthorizeUrl(own)) throw refuse('imap.oauth.authorize_url', 'required')
  return { ...settings, oauth: own }
}

export function beginNewSignIn(
  deps: TrialDeps,
  caller: SignInCaller,
  { imap: input, ...mailbox }: NewSignIn,
): Promise<BegunSignIn> {
  const address = readOwnAddress(deps.config, 'address', mailbox.address)
  const imap = readSettings(deps, input, { address, imap: null })
  const mayReach = addressRuleOf(deps.config).isAllowed
  const smtp = mailbox.smtp ? readSmtp(mailbox.smtp, null, { address, imap, mayReach }) : null
  requireSettings(deps.config, { incoming: 'imap', imap, smtp, sending: mailbox.sending ?? 'none' })
  const client_secret = input.oauth?.client_secret
  return beginSignIn(deps, caller, {
    mailbox_id: null,
    mailbox: { ...mailbox, address },
    imap,
    ...(client_secret && { client_secret }),
  })
}

/** The stored client secret is used, unless the token server has changed. */
export async function beginSignInAgain(
  deps: TrialDeps,
  caller: SignInCaller,
  id: string,
  input: ImapInput,
): Promise<BegunSignIn> {
  const mailbox = isId(id) ? await findFetchedMailbox(deps.db, caller.project.id, id) : null
  if (!mailbox) throw new ApiError('MAILBOX_NOT_FOUND')
  const imap = readSettings(deps, input, mailbox)
  const stored = isMoved(mailbox.imap, imap) ? undefined : openSecrets(deps.vault, mailbox).client_secret
  const client_secret = input.oauth?.client_secret ?? stored
  return beginSignIn(deps, caller, {
    mailbox_id: id,
    mailbox: { address: mailbox.address },
    imap,
    ...(client_secret && { client_secret }),
  })
}
