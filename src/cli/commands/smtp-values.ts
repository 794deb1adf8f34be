import type { Sending, SmtpInput } from '../../channels/email/mailboxes/mailbox.ts'
import { UsageError, type Values } from '../parse.ts'
import { readHostName, readPort, readSecretFile, readWord } from './option-values.ts'

/** Reads the options of `mailbox create` that are about sending. */

export const smtpOptions = [
  ...['sending', 'smtp-host', 'smtp-port', 'smtp-security', 'smtp-auth', 'smtp-user', 'smtp-password-file'],
]

export const smtpChoices = {
  sending: ['smtp', 'installation', 'none'],
  'smtp-security': ['tls', 'starttls', 'none'],
  'smtp-auth': ['imap', 'password', 'none'],
} as const

export const smtpNotes = {
  sending:
    'smtp (the default with --smtp-host) sends through that server, installation through SMTP_URL, none (the default) sends nothing',
  'smtp-host': 'the SMTP server; not needed for microsoft and google with --sending smtp',
  'smtp-port': '465 with tls, 587 with starttls, 25 otherwise, if it is not given',
  'smtp-security': 'tls if it is not given',
  'smtp-auth':
    'imap (the default for a fetched mailbox) uses the login of the IMAP server, password one of its own, none no login',
  'smtp-user': 'the user name for sending; the address if it is not given',
  'smtp-password-file': 'a file with the password for sending, or -',
}

async function readSmtpInput(values: Values): Promise<SmtpInput> {
  const host = readHostName('smtp-host', values['smtp-host'])
  const port = readPort('smtp-port', values['smtp-port'])
  const security = readWord('smtp-security', smtpChoices['smtp-security'], values['smtp-security'])
  const auth = readWord('smtp-auth', smtpChoices['smtp-auth'], values['smtp-auth'])
  const password = await readSecretFile('smtp-password-file', values['smtp-password-file'])
  return {
    ...(host && { host }),
    ...(port && { port }),
    ...(security && { security }),
    ...(auth && { auth }),
    ...(values['smtp-user'] && { user: values['smtp-user'] }),
    ...(password && { password }),
  }
}

export async function readSendingValues(values: Values): Promise<{ sending?: Sending; smtp?: SmtpInput }> {
  const given = readWord('sending', smtpChoices.sending, values.sending)
  const sending = given ?? (values['smtp-host'] === undefined ? undefined : 'smtp')
  const unused =
    sending === 'smtp' ? undefined : smtpOptions.slice(1).find(option => values[option] !== undefined)
  if (unused) throw new UsageError(`--${unused} has no effect without --sending smtp; omit it`)
  if (!sending) return {}
  return { sending, ...(sending === 'smtp' && { smtp: await readSmtpInput(values) }) }
}
