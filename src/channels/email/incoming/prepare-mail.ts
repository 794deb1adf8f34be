import type { Db } from '../../../core/db/db.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { Forwarded } from '../../../mail/forward.ts'
import type { Mail, MailFile } from '../../../mail/mail.ts'
import type { Earlier, Folded } from '../../../mail/quotes.ts'
import type { MailReader } from '../../../mail/read.ts'
import { type NewMedia, type Storages, storeFile } from '../../../media/media.ts'
import { withNotices } from '../notices/read-answer.ts'
import { findEarlier } from './earlier.ts'
import type { ClaimedMail } from './incoming-queries.ts'
import type { Judged } from './judge-mail.ts'
import { toContent, withInvitation } from './mail-content.ts'
import { writeText } from './mail-source.ts'
import type { MailToPost } from './post-mail.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Prepares what a message shows of its email: the text without quotes, and the stored files. */

export interface PreparingDeps {
  db: Db
  storages: Storages
  log: Log
}

export interface MailWork {
  deps: PreparingDeps
  reader: MailReader
  claimed: ClaimedMail
  mail: Mail
  /** The folder for temporary files. */
  folder: string
  signal: AbortSignal
}

/** The email to show: the attached one if an operator forwarded it as an attachment. */
export async function findShownMail(
  { mail, reader, folder, signal }: MailWork,
  forwarded: Forwarded | null,
): Promise<Mail> {
  const file = mail.attached && mail.files.find(({ contentType }) => contentType === 'message/rfc822')
  if (!forwarded || !file) return mail
  const inner = await reader.read(file.path, folder, signal)
  return { ...inner, files: [...inner.files, ...mail.files.filter(one => one !== file)] }
}

const unfolded = { quotedText: '', quotedHtml: null }

/** `findMessages` finds the messages that the email may quote; null if the email begins a ticket. */
export async function foldMail(
  { mail, reader, signal }: MailWork,
  shown: Mail,
  forwarded: Forwarded | null,
  findMessages: (() => Promise<Earlier>) | null,
): Promise<Folded> {
  const text = withInvitation(shown)
  if (forwarded && shown === mail)
    return { ...unfolded, visibleText: forwarded.text, visibleHtml: forwarded.html }
  if (!findMessages) return { ...unfolded, visibleText: text, visibleHtml: shown.html }
  return reader.fold({ text, html: shown.html }, await findMessages(), signal)
}

export type FileToStore = Pick<MailFile, 'path' | 'filename' | 'contentType'>

export const storeMailFile = ({ deps, claimed }: MailWork, file: FileToStore): Promise<NewMedia> =>
  storeFile(deps, { db: deps.db, projectId: claimed.project_id }, file)

/** The whole text of an email whose text is too long for a message. */
export const writeWholeText = async (
  { folder }: MailWork,
  { visibleText }: Folded,
): Promise<FileToStore> => ({
  path: await writeText(folder, 'message.txt', visibleText),
  filename: 'message.txt',
  contentType: 'text/plain',
})

export async function prepareMail(work: MailWork, judged: Judged, facts: ProjectFacts): Promise<MailToPost> {
  const { claimed, mail } = work
  const { forwarded, choice, answered } = judged
  const { target } = choice
  const ticketId = target.kind === 'ticket' ? target.id : target.kind === 'follow_up' ? target.of : null
  const shown = await findShownMail(work, forwarded)
  const findMessages = ticketId
    ? async () => {
        const projectId = claimed.project_id
        const withNotes = choice.isInternal || answered?.is_internal === true
        const earlier = await findEarlier(work.deps.db, projectId, [ticketId], facts, { withNotes })
        return withNotices(earlier, answered ? [answered] : [])
      }
    : null
  const folded = await foldMail(work, shown, forwarded, findMessages)
  const media: NewMedia[] = []
  for (const file of shown.files) media.push(await storeMailFile(work, file))
  const content = toContent(folded, media)
  if (content.rest) media.push(await storeMailFile(work, await writeWholeText(work, folded)))
  const { id: incomingId, is_partial: isPartial, source } = claimed
  return { incomingId, source, isPartial, mail, files: shown.files, judged, facts, folded, content, media }
}
