import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import { foldEmail, isEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'
import { pick } from '../../../core/fields.ts'
import { addressRuleOf } from '../../../core/http/address.ts'
import { mailFromAddress } from '../../../core/mail/mail-from.ts'
import { spellLocales } from '../../../core/text/locale.ts'
import { isMoved, readImap, readSecrets } from './imap-settings.ts'
import type {
  FetchedMailbox,
  ImapInput,
  ImapSettings,
  MailboxRow,
  MailboxSettingsInput,
  SmtpInput,
  SmtpSettings,
} from './mailbox.ts'
import { withoutTag } from './recipients.ts'
import { openSecrets, sealSecrets } from './secrets.ts'
import { readSmtp, readSmtpSecrets } from './smtp-settings.ts'

/** Reads and validates mailbox settings. */

export interface MailboxDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs' | 'smtpUrl' | 'mailFrom'>
  vault: Vault
}

export const editableFields = [
  'name',
  'department_id',
  'signature',
  'texts',
  'sends_acknowledgement',
  'sends_away',
  'incoming',
  'folders',
  'after_fetch',
  'after_fetch_days',
  'after_fetch_folder',
  'start_from',
  'start_days',
  'plus_works',
  'authserv_ids',
  'form_senders',
  'trusts_spam_headers',
  'sending',
  'send_rate',
  'history',
  'saves_sent',
  'sent_folder',
] as const

/** The fields that need no other information. */
export function readFields(input: MailboxSettingsInput) {
  const { texts, ...fields } = pick(input, editableFields)
  return { ...fields, ...(texts && { texts: spellLocales('texts', texts) }) }
}

type Settings = Pick<MailboxRow, 'incoming' | 'imap'> & Partial<MailboxRow>

export function requireSettings(config: Pick<Config, 'smtpUrl'>, row: Settings): void {
  if (row.sending === 'smtp' && !row.smtp) throw refuse('smtp', 'required')
  if (row.sending === 'installation' && !config.smtpUrl) throw refuse('sending', 'no_smtp_url')
  if (row.incoming === 'imap' && !row.imap) throw refuse('imap', 'required')
  if (row.after_fetch === 'move' && !row.after_fetch_folder) throw refuse('after_fetch_folder', 'required')
  if (row.after_fetch === 'move' && row.folders?.includes(row.after_fetch_folder!))
    throw refuse('after_fetch_folder', 'is_fetched')
  if (row.start_from === 'days' && !row.start_days) throw refuse('start_days', 'required')
}

export function readMailAddress(field: string, text: string): string {
  if (!isEmail(text)) throw refuse(field, 'not_an_email')
  return foldEmail(text)
}

/** Automatic replies to emails from MAIL_FROM would open tickets, and their acknowledgements would be answered again, without end. */
export function readOwnAddress(config: Pick<Config, 'mailFrom'>, field: string, text: string): string {
  const address = readMailAddress(field, text)
  const sender = mailFromAddress(config)
  if (sender && [sender, withoutTag(sender)].includes(address)) throw refuse(field, 'sends_letters')
  return address
}

interface Access {
  imap: ImapSettings | null
  smtp: SmtpSettings | null
  secrets: Buffer | null
}

export interface AccessInput {
  imap?: ImapInput
  smtp?: SmtpInput
}

/** Stored secrets are never sent to a server other than the one they were entered for. */
export function readAccess(
  { config, vault }: MailboxDeps,
  projectId: string,
  mailbox: Pick<FetchedMailbox, 'id' | 'address' | 'imap' | 'smtp' | 'secrets'>,
  input: AccessInput,
): Partial<Access> {
  if (!input.imap && !input.smtp) return {}
  const { address } = mailbox
  const { isAllowed: mayReach } = addressRuleOf(config)
  const stored = openSecrets(vault, { ...mailbox, project_id: projectId })
  const imap = input.imap ? readImap(input.imap, mailbox.imap, { address, mayReach }) : mailbox.imap
  const smtp = input.smtp ? readSmtp(input.smtp, mailbox.smtp, { address, imap, mayReach }) : mailbox.smtp
  const { smtp_password: _, ...imapSecrets } = stored
  const secrets = {
    ...(input.imap && imap
      ? readSecrets(input.imap, imap, isMoved(mailbox.imap, imap) ? {} : stored)
      : imapSecrets),
    ...(smtp && readSmtpSecrets({ imap, smtp, input }, { smtp: mailbox.smtp, secrets: stored })),
  }
  // A renewal of the tokens that is under way is stored only if the encrypted secrets have not changed.
  if (isDeepStrictEqual(secrets, stored)) return { imap, smtp, secrets: mailbox.secrets }
  return { imap, smtp, secrets: sealSecrets(vault, projectId, mailbox.id, secrets) }
}
