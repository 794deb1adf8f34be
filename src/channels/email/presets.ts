import type { ImapSettings, OauthSettings } from './mailbox.ts'

type Preset = Pick<OauthSettings, 'token_url' | 'scope'> & Pick<ImapSettings, 'host' | 'port' | 'security'>

/** The servers of providers with OAuth 2. `common` stands for the tenant, which an app of one organisation replaces by its own. */
const presets: Record<'microsoft' | 'google', Preset> = {
  microsoft: {
    host: 'outlook.office365.com',
    port: 993,
    security: 'tls',
    token_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
  },
  google: {
    host: 'imap.gmail.com',
    port: 993,
    security: 'tls',
    token_url: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/',
  },
}

/** An app of Microsoft 365 that logs in without a person asks for the permissions that it was granted. */
const appOnlyScope = 'https://outlook.office365.com/.default'

export const findPreset = (provider: OauthSettings['provider'] | undefined): Preset | null =>
  provider === 'microsoft' || provider === 'google' ? presets[provider] : null

export const oauthScopeOf = ({
  provider,
  grant,
}: Pick<OauthSettings, 'provider' | 'grant'>): string | undefined =>
  provider === 'microsoft' && grant === 'client_credentials' ? appOnlyScope : findPreset(provider)?.scope
