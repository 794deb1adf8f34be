import { createHash } from 'node:crypto'
import type { Tx } from '../../../events/transaction.ts'
import type { Mail, MailFile } from '../../../mail/mail.ts'
import type { Folded } from '../../../mail/quotes.ts'
import {
  type AttachedFile,
  fileName,
  keepUpload,
  listAttachedFiles,
  lockAttachedFiles,
  type NewMedia,
  updateMediaAttached,
  updateMediaFilename,
} from '../../../media/media.ts'
import { toContent } from './mail-content.ts'
import { type FileToStore, type MailWork, storeMailFile, writeWholeText } from './prepare-mail.ts'

/** The files of a message whose email is read again. They are compared by their content. */

export type RereadFile = FileToStore & Pick<MailFile, 'sha256' | 'isInline'>

/** The files of an email, for comparison with those of its message. */
export interface RereadFiles {
  messageId: string
  files: RereadFile[]
  /** The files that the message did not have, by their position in `files`. */
  stored: Map<number, NewMedia>
}

/** The files that a message of this email has. */
export async function listRereadFiles(work: MailWork, shown: Mail, folded: Folded): Promise<RereadFile[]> {
  if (!toContent(folded, []).rest) return shown.files
  const sha256 = createHash('sha256').update(folded.visibleText).digest('hex')
  return [...shown.files, { ...(await writeWholeText(work, folded)), sha256, isInline: false }]
}

/** The message's file with the same content for each file of the email; null if the message does not have it. */
export function matchFiles(files: RereadFile[], known: AttachedFile[]): (AttachedFile | null)[] {
  const left = [...known]
  return files.map(({ sha256 }) => {
    const at = left.findIndex(file => file.sha256 === sha256)
    return at < 0 ? null : left.splice(at, 1)[0]!
  })
}

/** Stores the files that the message does not have. Until `storeReread` attaches them, they belong to no message, and are deleted after a while. */
export async function storeMissingFiles(work: MailWork, { messageId, files, stored }: RereadFiles) {
  const known = await listAttachedFiles(work.deps.db, work.claimed.project_id, messageId)
  for (const [at, file] of matchFiles(files, known).entries())
    if (!file) stored.set(at, await storeMailFile(work, files[at]!))
}

/** Attaches the new files and corrects the names of the others. Files that the email no longer has stay. */
export async function updateRereadFiles(
  tx: Tx,
  { messageId, files, stored }: RereadFiles,
  known: AttachedFile[],
) {
  const matched = matchFiles(files, known)
  for (const [at, file] of matched.entries()) {
    const name = fileName(files[at]!.filename)
    if (file && file.filename !== name) await updateMediaFilename(tx, tx.projectId, file.id, name)
  }
  const ids = matched.map((file, at) => file?.id ?? stored.get(at)!.id)
  const others = known.filter(file => !matched.includes(file)).map(file => file.id)
  await updateMediaAttached(tx, tx.projectId, messageId, [...ids, ...others])
}

/** Files are locked before their message, as in all other code. */
export async function keepMissingFiles(
  tx: Tx,
  { messageId, files, stored }: RereadFiles,
): Promise<AttachedFile[]> {
  const known = await lockAttachedFiles(tx, tx.projectId, messageId)
  for (const [at, file] of matchFiles(files, known).entries()) {
    if (file) continue
    const added = stored.get(at)
    if (!added) throw new Error('A file of the message was deleted while its email was read again')
    await keepUpload(tx, tx.projectId, added)
  }
  return known
}
