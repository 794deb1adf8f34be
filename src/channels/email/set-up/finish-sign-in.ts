import { addressRuleOf } from '../../../core/http/address.ts'
import { newId } from '../../../core/ids.ts'
import { MailboxError, type MailboxFailure } from '../mailboxes/failure.ts'
import { fetchTokens } from '../mailboxes/fetch-tokens.ts'
import type { FetchedMailbox, MailboxSecrets, OauthSettings } from '../mailboxes/mailbox.ts'
import { changeMailbox, createMailbox, getMailbox } from '../mailboxes/mailboxes.ts'
import { findAuthorizeUrl } from '../mailboxes/presets.ts'
import { openSecrets, sealSecrets } from '../mailboxes/secrets.ts'
import { readSmtp } from '../mailboxes/smtp-settings.ts'
import { beginSignIn, endSignIn, type PendingSignIn, redirectUriOf, type SignInCaller } from './sign-in.ts'
import { failedTrial, type MailboxTrial, type TrialDeps, tryAccess } from './try-mailbox.ts'
import { trySending } from './try-sending.ts'

/** Finishes a sign-in with a mailbox's provider: gets the tokens, tests them, and stores them. */

/** The parameters that the provider adds to the address when it sends the person back. */
export interface SignInReturn {
  state: string
  code?: string
  error?: string
  iss?: string
}

export interface SignInResult {
  trial: MailboxTrial
  /** The stored mailbox; null if nothing was stored for a new one. */
  mailbox_id: string | null
  is_new: boolean
  /** The address to try again with the same values; null if the tokens were stored. */
  authorize_url: string | null
}

const failWith = (failure: Omit<MailboxFailure, 'isFinal'>) => new MailboxError({ ...failure, isFinal: true })

/** A code from one provider must not be sent to another one (RFC 9207). */
function requireIssuer(iss: string | undefined, oauth: OauthSettings): void {
  const origins = [findAuthorizeUrl(oauth)!, oauth.token_url].map(url => new URL(url).origin)
  if (iss === undefined || origins.includes(URL.parse(iss)?.origin ?? '')) return
  throw failWith({ code: 'other_provider', values: { host: new URL(oauth.token_url).host } })
}

function requireCode({ code, error, iss }: SignInReturn, oauth: OauthSettings): string {
  requireIssuer(iss, oauth)
  const { host } = new URL(findAuthorizeUrl(oauth)!)
  if (code && !error) return code
  if (error === 'access_denied') throw failWith({ code: 'sign_in_denied', values: { host } })
  throw failWith({ code: 'app_refused', values: { host, reason: error ?? 'no code' } })
}

/** Returns the secrets of the mailbox. */
async function redeem(
  { config }: TrialDeps,
  projectId: string,
  { imap: { oauth }, client_secret, verifier }: PendingSignIn,
  code: string,
): Promise<MailboxSecrets> {
  const { host } = new URL(oauth.token_url)
  const secrets = { ...(client_secret && { client_secret }) }
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUriOf(config, projectId),
    code_verifier: verifier,
  }
  const tokens = await fetchTokens(oauth, secrets, fields, {
    mayReach: addressRuleOf(config).isAllowed,
    describeGrant: () => ({ code: 'sign_in_ended', values: { host }, isFinal: true }),
  })
  if (!tokens.refresh_token) throw failWith({ code: 'no_refresh_token', values: { host } })
  return { ...secrets, ...tokens }
}

/** Sending of a new mailbox is tested with the same tokens. */
function testedSending(
  { config }: TrialDeps,
  { imap, mailbox: { address, sending, smtp } }: PendingSignIn,
): Partial<FetchedMailbox> {
  const { isAllowed: mayReach } = addressRuleOf(config)
  if (sending !== 'smtp' || !smtp) return {}
  return { sending, smtp: readSmtp(smtp, null, { address, imap, mayReach }) }
}

/** The login may renew the tokens, so those of the tested mailbox are stored. */
async function connect(
  deps: TrialDeps,
  caller: SignInCaller,
  pending: PendingSignIn,
  returned: SignInReturn,
) {
  const { project } = caller
  const secrets = await redeem(deps, project.id, pending, requireCode(returned, pending.imap.oauth))
  const id = newId()
  const { folders } = pending.mailbox_id
    ? await getMailbox(deps.db, project.id, pending.mailbox_id)
    : { folders: ['INBOX'] }
  const tested = {
    ...{ id, project_id: project.id, address: pending.mailbox.address, folders, imap: pending.imap },
    ...testedSending(deps, pending),
    secrets: sealSecrets(deps.vault, project.id, id, secrets),
  } as FetchedMailbox
  const trial = await tryAccess(deps, tested)
  return {
    trial: { ...trial, sending: trial.ok ? await trySending(deps, tested) : null },
    secrets: openSecrets(deps.vault, tested),
  }
}

/** Whether the new tokens are better than none, or than the old ones. The server may just be busy. */
const isWorthStoring = ({ ok, code }: MailboxTrial, { mailbox_id }: PendingSignIn): boolean =>
  ok || (mailbox_id !== null && code !== 'access_denied')

async function store(
  deps: TrialDeps,
  caller: SignInCaller,
  { mailbox_id, mailbox, imap }: PendingSignIn,
  secrets: MailboxSecrets,
): Promise<string> {
  const input = { ...imap, oauth: { ...imap.oauth, ...secrets } }
  const { id } = mailbox_id
    ? await changeMailbox(deps, deps.db, caller, mailbox_id, { imap: input }, null)
    : await createMailbox(deps, deps.db, caller, { ...mailbox, incoming: 'imap', imap: input })
  return id
}

/** Problems with the provider or the login are returned, so that the person can try again with the same values. */
export async function finishSignIn(
  deps: TrialDeps,
  caller: SignInCaller,
  returned: SignInReturn,
): Promise<SignInResult> {
  const pending = await endSignIn(deps, caller, returned.state)
  const is_new = pending.mailbox_id === null
  const { trial, secrets } = await connect(deps, caller, pending, returned).catch((error: unknown) => {
    if (!(error instanceof MailboxError)) throw error
    return { trial: failedTrial(error.failure), secrets: null }
  })
  if (secrets && isWorthStoring(trial, pending)) {
    const mailbox_id = await store(deps, caller, pending, secrets)
    return { trial, mailbox_id, is_new, authorize_url: null }
  }
  const { authorize_url } = await beginSignIn(deps, caller, pending)
  return { trial, mailbox_id: pending.mailbox_id, is_new, authorize_url }
}
