import { isIP } from 'node:net'
import { refuse } from '../../../core/errors.ts'
import { pick } from '../../../core/fields.ts'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import type { ImapInput, ImapSettings, MailboxSecrets, OauthSettings } from './mailbox.ts'
import { findPreset, oauthScopeOf, tokenUrlOfTenant } from './presets.ts'

/** Merges the server settings of a request into the stored ones. */

const hostOf = (url: string): string => (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '')

/** Host names are checked at each connection instead, because they may resolve to other addresses later. */
export function requireReachable(field: string, host: string, mayReach: MayReach): void {
  if (isIP(host) && !mayReach(host)) throw refuse(field, 'blocked_address')
}

/** The browser opens one of these URLs, so it must not be a script. */
const isWebAddress = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')

function requireUrls({ authorize_url, token_url }: Partial<OauthSettings>): void {
  if (!token_url) throw refuse('imap.oauth.token_url', 'required')
  if (!isWebAddress(token_url)) throw refuse('imap.oauth.token_url', 'not_an_address')
  if (authorize_url && !isWebAddress(authorize_url))
    throw refuse('imap.oauth.authorize_url', 'not_an_address')
}

function readTokenUrl({ provider, tenant, token_url }: NonNullable<ImapInput['oauth']>): string | undefined {
  return token_url ?? (provider === 'microsoft' && tenant ? tokenUrlOfTenant(tenant) : undefined)
}

function readOauth(input: ImapInput['oauth'] = {}, old: OauthSettings | null): OauthSettings {
  const provider = input.provider ?? old?.provider ?? 'custom'
  const grant = input.grant ?? old?.grant ?? 'refresh_token'
  const same = provider === old?.provider && grant === old.grant ? old : null
  const client_id = input.client_id ?? old?.client_id ?? ''
  if (!client_id) throw refuse('imap.oauth.client_id', 'required')
  const authorize_url = input.authorize_url ?? same?.authorize_url
  const token_url =
    readTokenUrl({ ...input, provider }) ?? same?.token_url ?? findPreset(provider)?.token_url ?? ''
  requireUrls({ ...(authorize_url && { authorize_url }), token_url })
  const scope = input.scope ?? same?.scope ?? oauthScopeOf({ provider, grant }) ?? ''
  return { provider, grant, client_id, ...(authorize_url && { authorize_url }), token_url, scope }
}

function requireHost(host: string | undefined): asserts host is string {
  if (!host) throw refuse('imap.host', 'required')
}

export function readImap(
  input: ImapInput,
  old: ImapSettings | null,
  { address, mayReach }: { address: string; mayReach: MayReach },
): ImapSettings {
  const auth = input.auth ?? old?.auth ?? (input.oauth ? 'oauth' : 'password')
  const oauth = auth === 'oauth' ? readOauth(input.oauth, old?.oauth ?? null) : null
  const preset = findPreset(oauth?.provider)
  const host = input.host ?? old?.host ?? preset?.host
  requireHost(host)
  const security = input.security ?? old?.security ?? preset?.security ?? 'tls'
  const port = input.port ?? old?.port ?? (security === 'tls' ? 993 : 143)
  requireReachable('imap.host', host, mayReach)
  if (oauth) requireReachable('imap.oauth.token_url', hostOf(oauth.token_url), mayReach)
  return { host, port, security, user: input.user ?? old?.user ?? address, auth, oauth }
}

/** The secrets to store: those in the request, otherwise the stored ones. */
export function readSecrets(
  { password, oauth }: ImapInput,
  settings: ImapSettings,
  old: MailboxSecrets,
): MailboxSecrets {
  if (settings.auth === 'password') {
    const chosen = password ?? old.password
    if (!chosen) throw refuse('imap.password', 'required')
    return { password: chosen }
  }
  const isNew = oauth?.refresh_token !== undefined || oauth?.client_secret !== undefined
  const refresh_token = oauth?.refresh_token ?? old.refresh_token
  const client_secret = oauth?.client_secret ?? old.client_secret
  const isAppOnly = settings.oauth!.grant === 'client_credentials'
  if (isAppOnly && !client_secret) throw refuse('imap.oauth.client_secret', 'required')
  if (!isAppOnly && !refresh_token) throw refuse('imap.oauth.refresh_token', 'required')
  const kept = isNew
    ? { connected_at: Date.now(), ...pick(oauth, ['access_token', 'access_expires_at']) }
    : pick(old, ['access_token', 'access_expires_at', 'connected_at'])
  return { ...kept, ...(refresh_token && { refresh_token }), ...(client_secret && { client_secret }) }
}

/** Whether stored secrets would be sent to a server other than the one they were entered for. */
export const isMoved = (old: ImapSettings | null, settings: ImapSettings): boolean =>
  old !== null &&
  (old.host !== settings.host ||
    old.oauth?.token_url !== settings.oauth?.token_url ||
    old.auth !== settings.auth ||
    (old.security !== 'none' && settings.security === 'none'))

/** Whether email may be fetched from another account than before. Each port of a host may lead to a different server. */
export const isOtherAccount = (old: ImapSettings | null, settings: ImapSettings | null): boolean =>
  old !== null &&
  settings !== null &&
  (old.host !== settings.host || old.port !== settings.port || old.user !== settings.user)
