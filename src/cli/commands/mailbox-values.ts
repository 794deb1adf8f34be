import type { ImapInput, NewMailbox } from '../../channels/email/mailboxes/mailbox.ts'
import { readEmail, UsageError, type Values } from '../parse.ts'
import { readHostName, readNumber, readPort, readSecretFile, readWord } from './option-values.ts'
import { readSendingValues } from './smtp-values.ts'

/** Reads the options of `mailbox create`. */

export const mailboxChoices = {
  incoming: ['imap', 'listen', 'none'],
  security: ['tls', 'starttls', 'none'],
  'start-from': ['now', 'days', 'all'],
  'after-fetch': ['leave', 'seen', 'move', 'delete'],
  provider: ['microsoft', 'google', 'custom'],
} as const

/** The options that only a mailbox on an IMAP server has. */
const imapOptions = [
  ...['host', 'port', 'security', 'user', 'password-file'],
  ...['provider', 'client-id', 'client-secret-file', 'refresh-token-file', 'token-url'],
  ...['start-from', 'start-days', 'after-fetch', 'after-fetch-folder'],
]

export const mailboxNotes = {
  incoming: 'imap (the default) fetches from a server, listen receives on MAIL_LISTEN, none receives nothing',
  host: 'the IMAP server; not needed for microsoft and google',
  port: '993 with tls, 143 otherwise, if it is not given',
  security: 'tls if it is not given; none sends the password unencrypted',
  user: 'the user name of the account; the address if it is not given',
  'password-file': 'a file with the password, or - for standard input',
  provider: 'logs in with OAuth 2 instead of a password',
  'client-secret-file': 'a file with the secret of your OAuth app, or -',
  'refresh-token-file': 'a file with the refresh token, or -; without it, the app logs in without a user',
  'start-from': 'now (the default) fetches only new email, days the last --start-days, all everything',
  'after-fetch': 'what happens to a fetched email on the server; leave (the default) changes nothing',
}

async function readOauthInput(values: Values): Promise<ImapInput['oauth']> {
  const provider = readWord('provider', mailboxChoices.provider, values.provider)
  if (!provider) return undefined
  const refresh_token = await readSecretFile('refresh-token-file', values['refresh-token-file'])
  const client_secret = await readSecretFile('client-secret-file', values['client-secret-file'])
  return {
    provider,
    grant: refresh_token ? 'refresh_token' : 'client_credentials',
    ...(values['client-id'] && { client_id: values['client-id'] }),
    ...(values['token-url'] && { token_url: values['token-url'] }),
    ...(refresh_token && { refresh_token }),
    ...(client_secret && { client_secret }),
  }
}

async function readImapInput(values: Values): Promise<ImapInput> {
  const port = readPort('port', values.port)
  const host = readHostName('host', values.host)
  const security = readWord('security', mailboxChoices.security, values.security)
  const password = await readSecretFile('password-file', values['password-file'])
  const oauth = await readOauthInput(values)
  return {
    ...(host && { host }),
    ...(port && { port }),
    ...(security && { security }),
    ...(values.user && { user: values.user }),
    ...(password && { password }),
    ...(oauth && { oauth }),
  }
}

export async function readNewMailbox(values: Values): Promise<NewMailbox> {
  const incoming = readWord('incoming', mailboxChoices.incoming, values.incoming) ?? 'imap'
  const unused = incoming === 'imap' ? undefined : imapOptions.find(option => values[option] !== undefined)
  if (unused) throw new UsageError(`--${unused} has no effect with --incoming ${incoming}; omit it`)
  const start_days = readNumber('start-days', values['start-days'])
  const start_from = readWord('start-from', mailboxChoices['start-from'], values['start-from'])
  const after_fetch = readWord('after-fetch', mailboxChoices['after-fetch'], values['after-fetch'])
  return {
    address: readEmail('--address', values.address!),
    incoming,
    ...(values.name && { name: values.name }),
    ...(incoming === 'imap' && { imap: await readImapInput(values) }),
    ...(start_from && { start_from }),
    ...(start_days && { start_days }),
    ...(after_fetch && { after_fetch }),
    ...(values['after-fetch-folder'] && { after_fetch_folder: values['after-fetch-folder'] }),
    ...(await readSendingValues(values)),
  }
}
