import type { ImapFlow } from 'imapflow'
import { within } from '../../../core/async/in-time.ts'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import { ApiError } from '../../../core/errors.ts'
import { addressRuleOf } from '../../../core/http/address.ts'
import { isId, newId } from '../../../core/ids.ts'
import { openImap } from '../imap/imap-client.ts'
import { describeFailure } from '../mailboxes/failure.ts'
import { type Fault, type TrialCode, withText } from '../mailboxes/fault.ts'
import type { FetchedMailbox, NewMailbox } from '../mailboxes/mailbox.ts'
import { readAccess, readOwnAddress, requireSettings } from '../mailboxes/mailbox-input.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { type SendingTrial, trySending } from './try-sending.ts'

export interface MailboxTrial extends Fault<TrialCode> {
  ok: boolean
  text: string
  folders: string[]
  mails: number | null
  /** Null if the mailbox does not send. */
  sending: SendingTrial | null
}

export type TriedMailbox = Pick<NewMailbox, 'address' | 'folders' | 'imap' | 'sending' | 'smtp'>

export interface TrialDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs' | 'mailListen' | 'smtpUrl' | 'mailFrom'>
  db: Db
  vault: Vault
}

/** Milliseconds. */
const timeoutMs = 30_000

export const failedTrial = ({ code, values }: Fault, folders: string[] = []): MailboxTrial => ({
  ...{ ok: false, folders, mails: null, sending: null },
  ...withText({ code, values }),
})

async function look(client: ImapFlow, { folders: wanted }: FetchedMailbox): Promise<MailboxTrial> {
  const folders = (await client.list()).map(({ path }) => path)
  const missing = wanted.find(path => !folders.some(found => isSameFolder(found, path)))
  if (missing !== undefined)
    return failedTrial({ code: 'folder_missing', values: { folder: missing } }, folders)
  const folder = wanted[0]!
  const { exists: mails } = await client.mailboxOpen(folder, { readOnly: true })
  const values = { folder, mails: String(mails) }
  return { ok: true, folders, mails, sending: null, ...withText({ code: 'connected', values }) }
}

/** IMAP treats the name INBOX as case-insensitive. */
const isSameFolder = (a: string, b: string): boolean =>
  a === b || (a.toUpperCase() === 'INBOX' && b.toUpperCase() === 'INBOX')

/** Logs in and lists the folders. */
export async function tryAccess(deps: TrialDeps, mailbox: FetchedMailbox): Promise<MailboxTrial> {
  const mayReach = addressRuleOf(deps.config).isAllowed
  const { host, port } = mailbox.imap!
  let client: ImapFlow | null = null
  try {
    client = await openImap({ ...deps, mayReach }, mailbox)
    return await within(timeoutMs, look(client, mailbox), () =>
      failedTrial({ code: 'unreachable', values: { host, port: String(port) } }),
    )
  } catch (error) {
    return failedTrial(describeFailure(error, mailbox.imap!))
  } finally {
    client?.close()
  }
}

function describeListening({ config }: TrialDeps, { address }: FetchedMailbox): MailboxTrial {
  if (config.mailListen.length === 0) return failedTrial({ code: 'not_listening', values: {} })
  const places = config.mailListen.map(({ protocol, host, port }) => `${protocol}://${host}:${port}`)
  const values = { address, places: places.join(', ') }
  return { ok: true, folders: [], mails: null, sending: null, ...withText({ code: 'listening', values }) }
}

async function tryBoth(deps: TrialDeps, mailbox: FetchedMailbox): Promise<MailboxTrial> {
  const [receiving, sending] = await Promise.all([tryReceiving(deps, mailbox), trySending(deps, mailbox)])
  return { ...receiving, sending }
}

/** Tests settings that are not stored yet. */
export async function tryNewMailbox(
  deps: TrialDeps,
  projectId: string,
  input: TriedMailbox,
): Promise<MailboxTrial> {
  const id = newId()
  const address = readOwnAddress(deps.config, 'address', input.address)
  const access = readAccess(deps, projectId, { id, address, imap: null, smtp: null, secrets: null }, input)
  const incoming = input.imap ? 'imap' : 'listen'
  const { folders = ['INBOX'], sending = 'none' } = input
  requireSettings(deps.config, { imap: null, ...access, incoming, sending })
  const settings = { id, address, project_id: projectId, folders, incoming, sending }
  return tryBoth(deps, { imap: null, ...settings, ...access } as FetchedMailbox)
}

async function tryReceiving(deps: TrialDeps, mailbox: FetchedMailbox): Promise<MailboxTrial> {
  if (mailbox.incoming === 'imap') return tryAccess(deps, mailbox)
  if (mailbox.incoming === 'listen') return describeListening(deps, mailbox)
  return failedTrial({ code: 'not_receiving', values: {} })
}

/** Connects like the fetcher, without changing anything. */
export async function tryMailbox(deps: TrialDeps, projectId: string, id: string): Promise<MailboxTrial> {
  const mailbox = isId(id) ? await findFetchedMailbox(deps.db, projectId, id) : null
  if (!mailbox) throw new ApiError('MAILBOX_NOT_FOUND')
  return tryBoth(deps, mailbox)
}
