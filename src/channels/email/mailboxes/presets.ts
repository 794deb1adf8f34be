import type { ImapSettings, OauthSettings, SmtpSettings } from './mailbox.ts'

type Preset = Required<Pick<OauthSettings, 'authorize_url' | 'token_url' | 'scope'>> &
  Pick<ImapSettings, 'host' | 'port' | 'security'> & { smtp: SmtpServer }

export type SmtpServer = Pick<SmtpSettings, 'host' | 'port' | 'security'>

const microsoftLogin = 'https://login.microsoftonline.com'

/** An app that is limited to one organisation works only at the addresses of its tenant. */
export const tokenUrlOfTenant = (tenant: string): string => `${microsoftLogin}/${tenant}/oauth2/v2.0/token`

/** The servers of OAuth 2 providers. */
const presets: Record<'microsoft' | 'google', Preset> = {
  microsoft: {
    host: 'outlook.office365.com',
    port: 993,
    security: 'tls',
    authorize_url: `${microsoftLogin}/common/oauth2/v2.0/authorize`,
    token_url: tokenUrlOfTenant('common'),
    scope:
      'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access',
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  },
  google: {
    host: 'imap.gmail.com',
    port: 993,
    security: 'tls',
    authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_url: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/',
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  },
}

/** With `client_credentials`, a Microsoft 365 app requests all permissions that it was granted. */
const appOnlyScope = 'https://outlook.office365.com/.default'

export const findPreset = (provider: OauthSettings['provider'] | undefined): Preset | null =>
  provider === 'microsoft' || provider === 'google' ? presets[provider] : null

export const oauthScopeOf = ({
  provider,
  grant,
}: Pick<OauthSettings, 'provider' | 'grant'>): string | undefined =>
  provider === 'microsoft' && grant === 'client_credentials' ? appOnlyScope : findPreset(provider)?.scope

/** Where a person signs in. Each Microsoft 365 tenant has its own pair of addresses. */
export function findAuthorizeUrl({ provider, authorize_url, token_url }: OauthSettings): string | null {
  if (authorize_url) return authorize_url
  if (provider === 'microsoft') return token_url.replace(/\/token$/, '/authorize')
  return findPreset(provider)?.authorize_url ?? null
}
