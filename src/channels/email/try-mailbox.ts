import type { ImapFlow } from 'imapflow'
import { addressRuleOf } from '../../core/address.ts'
import type { Config } from '../../core/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db.ts'
import { ApiError } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { within } from '../../core/in-time.ts'
import { describeFailure } from './failure.ts'
import { openImap } from './imap-client.ts'
import type { FetchedMailbox } from './mailbox.ts'
import { findFetchedMailbox } from './queries.ts'

export interface MailboxTrial {
  ok: boolean
  code: string | null
  text: string
  folders: string[]
  mails: number | null
}

export interface TrialDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs' | 'mailListen'>
  db: Db
  vault: Vault
}

/** Milliseconds. */
const timeoutMs = 30_000

const failed = (code: string, text: string, folders: string[] = []): MailboxTrial => ({
  ok: false,
  code,
  text,
  folders,
  mails: null,
})

async function look(client: ImapFlow, mailbox: FetchedMailbox): Promise<MailboxTrial> {
  const folders = (await client.list()).map(({ path }) => path)
  const missing = mailbox.folders.find(path => !folders.some(found => isSameFolder(found, path)))
  if (missing !== undefined)
    return failed('folder_missing', `The folder ${missing} does not exist. Choose another folder.`, folders)
  const { exists } = await client.mailboxOpen(mailbox.folders[0]!, { readOnly: true })
  const text = `Login succeeded. ${mailbox.folders[0]} contains ${exists} emails`
  return { ok: true, code: null, text, folders, mails: exists }
}

/** IMAP treats the name INBOX as case-insensitive. */
const isSameFolder = (a: string, b: string): boolean =>
  a === b || (a.toUpperCase() === 'INBOX' && b.toUpperCase() === 'INBOX')

async function tryImap(deps: TrialDeps, mailbox: FetchedMailbox): Promise<MailboxTrial> {
  const mayReach = addressRuleOf(deps.config).isAllowed
  let client: ImapFlow | null = null
  try {
    client = await openImap({ ...deps, mayReach }, mailbox)
    return await within(timeoutMs, look(client, mailbox), () =>
      failed('unreachable', `${mailbox.imap!.host} takes too long to respond. Try again.`),
    )
  } catch (error) {
    const { code, text } = describeFailure(error, mailbox.imap!)
    return failed(code, text)
  } finally {
    client?.close()
  }
}

function describeListening({ config }: TrialDeps, { address }: FetchedMailbox): MailboxTrial {
  if (config.mailListen.length === 0)
    return failed(
      'not_listening',
      'MAIL_LISTEN is not set here, so no email is accepted. Set it as for your server, and restart the server if it was not set there.',
    )
  const places = config.mailListen.map(({ protocol, host, port }) => `${protocol}://${host}:${port}`)
  const text = `Email to ${address} is accepted at ${places.join(', ')}`
  return { ok: true, code: null, text, folders: [], mails: null }
}

/** Connects like the fetcher, without changing anything. */
export async function tryMailbox(deps: TrialDeps, projectId: string, id: string): Promise<MailboxTrial> {
  const mailbox = isId(id) ? await findFetchedMailbox(deps.db, projectId, id) : null
  if (!mailbox) throw new ApiError('MAILBOX_NOT_FOUND')
  if (mailbox.incoming === 'imap') return tryImap(deps, mailbox)
  if (mailbox.incoming === 'listen') return describeListening(deps, mailbox)
  return failed('not_receiving', 'This mailbox is not set up to receive email. Choose IMAP or the listener.')
}
