import type { Fault } from './fault.ts'

/** The shapes of mailbox rows. */

export type Incoming = 'imap' | 'listen' | 'none'
export type MailboxState = 'active' | 'paused' | 'broken'
export type AfterFetch = 'leave' | 'seen' | 'move' | 'delete'
export type StartFrom = 'now' | 'days' | 'all'
export type Security = 'tls' | 'starttls' | 'none'

export interface OauthSettings {
  provider: 'microsoft' | 'google' | 'custom'
  grant: 'refresh_token' | 'client_credentials'
  client_id: string
  /** Where a person signs in; by default, the provider's own address. */
  authorize_url?: string
  token_url: string
  scope: string
}

export interface ImapSettings {
  host: string
  port: number
  security: Security
  /** The user name of the mailbox. With OAuth, the token may belong to another account, as for shared mailboxes in Microsoft 365. */
  user: string
  auth: 'password' | 'oauth'
  oauth: OauthSettings | null
}

export type Sending = 'smtp' | 'installation' | 'none'

export interface SmtpSettings {
  host: string
  port: number
  security: Security
  /** Only with the method `password`. */
  user: string
  /** `imap`: the user and the password, or the token, of the IMAP server. */
  auth: 'imap' | 'password' | 'none'
}

/** Encrypted in the database and never returned. */
export interface MailboxSecrets {
  password?: string
  smtp_password?: string
  client_secret?: string
  refresh_token?: string
  access_token?: string
  /** Milliseconds since 1970. */
  access_expires_at?: number
  /** When the refresh token was entered, in milliseconds since 1970. */
  connected_at?: number
}

export interface MailboxFault extends Fault {
  at: string
}

export interface MailboxRow {
  id: string
  address: string
  aliases: string[]
  name: string
  department_id: string | null
  signature: string
  texts: Record<string, unknown>
  incoming: Incoming
  imap: ImapSettings | null
  folders: string[]
  after_fetch: AfterFetch
  after_fetch_days: number
  after_fetch_folder: string | null
  start_from: StartFrom
  start_days: number | null
  plus_works: boolean | null
  authserv_ids: string[]
  form_senders: string[]
  trusts_spam_headers: boolean
  sending: Sending
  smtp: SmtpSettings | null
  /** Emails per minute. */
  send_rate: number
  history: 'none' | 'last' | 'all'
  saves_sent: boolean
  /** Null if the server names its folder for sent email. */
  sent_folder: string | null
  send_error: MailboxFault | null
  send_backoff_until: string | null
  state: MailboxState
  last_ok_at: string | null
  last_error: MailboxFault | null
  backoff_until: string | null
  version: number
  created_at: string
}

/** Adds the columns that only fetching needs. */
export interface FetchedMailbox extends MailboxRow {
  project_id: string
  secrets: Buffer | null
  failures: number
}

/** The secrets in a request, together with the settings that they belong to. */
export interface ImapInput extends Partial<Omit<ImapSettings, 'oauth'>> {
  password?: string
  oauth?: Partial<OauthSettings> & { tenant?: string } & Omit<MailboxSecrets, 'password' | 'connected_at'>
}

export interface SmtpInput extends Partial<SmtpSettings> {
  password?: string
}

export type MailboxSettingsInput = Partial<
  Pick<
    MailboxRow,
    | 'aliases'
    | 'name'
    | 'department_id'
    | 'signature'
    | 'texts'
    | 'incoming'
    | 'folders'
    | 'after_fetch'
    | 'after_fetch_days'
    | 'after_fetch_folder'
    | 'start_from'
    | 'start_days'
    | 'plus_works'
    | 'authserv_ids'
    | 'form_senders'
    | 'trusts_spam_headers'
    | 'sending'
    | 'send_rate'
    | 'history'
    | 'saves_sent'
    | 'sent_folder'
  >
> & { imap?: ImapInput; smtp?: SmtpInput }

export type NewMailbox = MailboxSettingsInput & Pick<MailboxRow, 'address' | 'incoming'>
