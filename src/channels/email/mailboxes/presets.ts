import type { ImapSettings, OauthSettings } from './mailbox.ts'

type Preset = Pick<OauthSettings, 'token_url' | 'scope'> & Pick<ImapSettings, 'host' | 'port' | 'security'>

/** The servers of OAuth 2 providers. An app that is limited to one organisation replaces `common` with its tenant. */
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

/** With `client_credentials`, a Microsoft 365 app requests all permissions that it was granted. */
const appOnlyScope = 'https://outlook.office365.com/.default'

export const findPreset = (provider: OauthSettings['provider'] | undefined): Preset | null =>
  provider === 'microsoft' || provider === 'google' ? presets[provider] : null

export const oauthScopeOf = ({
  provider,
  grant,
}: Pick<OauthSettings, 'provider' | 'grant'>): string | undefined =>
  provider === 'microsoft' && grant === 'client_credentials' ? appOnlyScope : findPreset(provider)?.scope
