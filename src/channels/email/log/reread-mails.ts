import { recordAudit } from '../../../audit/audit.ts'
import type { Vault } from '../../../core/crypto.ts'
import { errorOf } from '../../../core/thrown.ts'
import { transact } from '../../../events/transaction.ts'
import { type MailReader, makeMailReader } from '../../../mail/read.ts'
import type { MailDifference } from '../incoming/difference.ts'
import { withMail } from '../incoming/mail-source.ts'
import type { MailWork, PreparingDeps } from '../incoming/prepare-mail.ts'
import { storeMissingFiles } from '../incoming/reread-files.ts'
import { compareReread, rereadMail, storeReread } from '../incoming/reread-mail.ts'
import {
  listMailsToReread,
  lockDoneMail,
  type MailToReread,
  type RereadRange,
  updateMailChanges,
} from './reread-queries.ts'

/** Reads the originals of many messages again, for the command line. */

export interface RereadingDeps extends PreparingDeps {
  vault: Vault
}

export interface RereadOutcome extends MailDifference {
  id: string
  project_id: string
  subject: string | null
  /** Why it could not be read again; null if it could. */
  error: string | null
}

interface Rereading {
  deps: RereadingDeps
  reader: MailReader
  key: Buffer
  isApplied: boolean
}

const unchanged: MailDifference = { fields: [], line: null }

/** An email that the server is already reading again is left to the server. */
const store = (
  work: MailWork,
  mail: MailToReread,
  again: NonNullable<Awaited<ReturnType<typeof rereadMail>>>,
) =>
  transact(work.deps.db, mail.project_id, async tx => {
    if (!(await lockDoneMail(tx, mail))) return unchanged
    const difference = await storeReread(tx, again)
    const by = { type: 'cli' as const, id: null, name: null }
    const { attempts } = mail
    const decision = { kind: 'reparse' as const, ticket_id: null, by, attempts, changes: difference.fields }
    await updateMailChanges(tx, mail, decision)
    const target = { type: 'mail', id: mail.id, name: mail.subject }
    await recordAudit(tx, mail.project_id, { type: 'cli' }, 'mail.reparsed', target)
    return difference
  })

async function compareOrStore(
  { key, isApplied }: Rereading,
  work: MailWork,
  mail: MailToReread,
): Promise<MailDifference> {
  const again = await rereadMail(work, key)
  if (!again) return unchanged
  const difference = await compareReread(work.deps.db, mail.project_id, again)
  if (!isApplied || difference.fields.length === 0) return difference
  await storeMissingFiles(work, again)
  return store(work, mail, again)
}

async function rereadOne(rereading: Rereading, mail: MailToReread): Promise<RereadOutcome> {
  const { deps, reader } = rereading
  const { id, project_id, subject } = mail
  const { signal } = new AbortController()
  const known = { id, project_id, subject }
  try {
    const difference = await withMail({ ...deps, reader, signal }, mail, (read, folder) =>
      compareOrStore(rereading, { deps, reader, claimed: mail, mail: read, folder, signal }, mail),
    )
    return { ...known, ...difference, error: null }
  } catch (error) {
    return { ...known, ...unchanged, error: errorOf(error).message }
  }
}

/** Yields how each message changes, or would change. An email that cannot be read does not stop the others. */
export async function* rereadMails(
  deps: RereadingDeps,
  range: RereadRange,
  isApplied: boolean,
): AsyncGenerator<RereadOutcome> {
  const reader = makeMailReader()
  const rereading = { deps, reader, key: deps.vault.derive('mail'), isApplied }
  try {
    let page = await listMailsToReread(deps.db, range, undefined)
    while (page.length > 0) {
      for (const mail of page) yield await rereadOne(rereading, mail)
      page = await listMailsToReread(deps.db, range, page.at(-1))
    }
  } finally {
    await reader.close()
  }
}
