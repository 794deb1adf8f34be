import { refuse } from '../../../core/errors.ts'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import { requireReachable } from './imap-settings.ts'
import { isSameProvider } from './known-servers.ts'
import type { ImapInput, ImapSettings, MailboxSecrets, Security, SmtpInput, SmtpSettings } from './mailbox.ts'
import { findPreset } from './presets.ts'

/** Merges the settings for sending in a request into the stored ones. */

const usualPorts: Record<Security, number> = { tls: 465, starttls: 587, none: 25 }

export function readSmtp(
  input: SmtpInput,
  old: SmtpSettings | null,
  { address, imap, mayReach }: { address: string; imap: ImapSettings | null; mayReach: MayReach },
): SmtpSettings {
  const auth = input.auth ?? old?.auth ?? (input.password ? 'password' : imap ? 'imap' : 'none')
  if (auth === 'imap' && !imap) throw refuse('smtp.auth', 'no_imap_login')
  const preset = auth === 'imap' ? findPreset(imap?.oauth?.provider)?.smtp : undefined
  const host = input.host ?? old?.host ?? preset?.host
  if (!host) throw refuse('smtp.host', 'required')
  requireReachable('smtp.host', host, mayReach)
  const usual = host === preset?.host ? preset : undefined
  const security = input.security ?? old?.security ?? usual?.security ?? 'tls'
  const port = input.port ?? old?.port ?? (security === usual?.security ? usual.port : usualPorts[security])
  const user = auth === 'password' ? (input.user ?? (old?.user || address)) : ''
  return { host, port, security, user, auth }
}

/** Whether a stored login would be sent to a server other than the one it was entered for, or no longer encrypted. */
const isSmtpMoved = (old: SmtpSettings | null, smtp: SmtpSettings): boolean =>
  old?.host !== smtp.host || old.auth !== smtp.auth || (old.security !== 'none' && smtp.security === 'none')

const hasLogin = ({ password, oauth }: ImapInput = {}): boolean =>
  Boolean(password ?? oauth?.refresh_token ?? oauth?.client_secret)

/** Only someone who knows the login of the IMAP server can have it sent to another provider. */
function requireImapLogin(imap: ImapSettings, smtp: SmtpSettings, input: ImapInput | undefined): void {
  const isWeaker = smtp.security === 'none' && imap.security !== 'none'
  if (hasLogin(input) || (isSameProvider(imap.host, smtp.host) && !isWeaker)) return
  throw imap.auth === 'password' ? refuse('imap.password', 'required') : refuse('smtp.host', 'other_provider')
}

interface Given {
  imap: ImapSettings | null
  smtp: SmtpSettings
  input: { imap?: ImapInput; smtp?: SmtpInput }
}

/** The secrets to store: those in the request, otherwise the stored ones. */
export function readSmtpSecrets(
  { imap, smtp, input }: Given,
  old: { smtp: SmtpSettings | null; secrets: MailboxSecrets },
): Pick<MailboxSecrets, 'smtp_password'> {
  const isMoved = isSmtpMoved(old.smtp, smtp)
  if (smtp.auth === 'imap' && imap && isMoved) requireImapLogin(imap, smtp, input.imap)
  if (smtp.auth !== 'password') return {}
  const smtp_password = input.smtp?.password ?? (isMoved ? undefined : old.secrets.smtp_password)
  if (!smtp_password) throw refuse('smtp.password', 'required')
  return { smtp_password }
}
