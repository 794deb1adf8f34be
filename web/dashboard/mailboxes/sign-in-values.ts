import { pageText } from '../core/page-text.ts'
import type { MailboxImap, NewMailbox } from './queries.ts'
import type { HostValues } from './server-fields.tsx'

/** The app with which a person signs in with the provider of a mailbox. */

export type SignInProvider = 'google' | 'microsoft' | 'custom'

interface AppValues {
  provider: SignInProvider
  client_id: string
  client_secret: string
  tenant: string
  authorize_url: string
  token_url: string
  scope: string
}

export interface SignInValues extends HostValues {
  imap: HostValues['imap'] & { oauth: AppValues }
}

/** Microsoft's addresses contain the tenant. */
const tenantIn = (token_url: string): string => /\/([\w.-]+)\/oauth2\//.exec(token_url)?.[1] ?? ''

const anyTenant = 'common'

const providersByHost: Record<string, SignInProvider> = {
  'imap.gmail.com': 'google',
  'outlook.office365.com': 'microsoft',
}

export function signInValuesOf({ host, port, security, user, oauth }: MailboxImap): SignInValues {
  const tenant = oauth?.provider === 'microsoft' ? tenantIn(oauth.token_url) : ''
  return {
    imap: {
      ...{ host, port, security, user },
      oauth: {
        provider: oauth?.provider ?? providersByHost[host] ?? 'custom',
        client_id: oauth?.client_id ?? '',
        client_secret: '',
        tenant: tenant === anyTenant ? '' : tenant,
        authorize_url: oauth?.authorize_url ?? '',
        token_url: oauth?.token_url ?? '',
        scope: oauth?.scope ?? '',
      },
    },
  }
}

type ImapInput = NonNullable<NewMailbox['imap']>

/** The server knows the addresses of Google and Microsoft. */
export function appBodyOf({ imap: { oauth } }: SignInValues): NonNullable<ImapInput['oauth']> {
  const { provider, client_id, client_secret, tenant, authorize_url, token_url, scope } = oauth
  return {
    provider,
    client_id: client_id.trim(),
    ...(client_secret && { client_secret: client_secret.trim() }),
    ...(provider === 'microsoft' && { tenant: tenant.trim() || anyTenant }),
    ...(provider === 'custom' && { authorize_url, token_url, scope }),
  }
}

export function newImapOf(values: SignInValues): ImapInput {
  const { oauth, user, ...place } = values.imap
  return { user: user.trim(), ...(oauth.provider === 'custom' && place), oauth: appBodyOf(values) }
}

const required = (value: string): string | null => (value.trim() ? null : pageText.mailboxes.fieldNeeded)

export const signInRules = {
  imap: {
    host: (value: string, { imap }: SignInValues) =>
      imap.oauth.provider === 'custom' ? required(value) : null,
    user: required,
    oauth: {
      client_id: required,
      authorize_url: (value: string, { imap }: SignInValues) =>
        imap.oauth.provider === 'custom' ? required(value) : null,
      token_url: (value: string, { imap }: SignInValues) =>
        imap.oauth.provider === 'custom' ? required(value) : null,
    },
  },
} as never
