import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import type { Mail, MailFile } from '../../mail/mail.ts'
import { foldQuotes } from '../../mail/quotes.ts'
import { type MailReader, makeMailReader } from '../../mail/read.ts'
import { type NewMedia, type Storages, storeFile } from '../../media/media.ts'
import { followDecision } from './decision.ts'
import { findHandledCopy, type MailSummary, summaryOf } from './duplicates.ts'
import { findEarlier } from './earlier.ts'
import { finishMail, type OnMail } from './handle.ts'
import {
  type ClaimedMail,
  hasOlderInProgress,
  type MailResult,
  updateMailWaiting,
} from './incoming-queries.ts'
import { type Judged, judgeMail } from './judge-mail.ts'
import { ContactBlocked } from './mail-contact.ts'
import { toContent } from './mail-content.ts'
import { withMail, writeText } from './mail-source.ts'
import { type MailToPost, postMail } from './post-mail.ts'
import { findProjectFacts, type ProjectFacts } from './project-facts.ts'

/** Turns stored emails into messages. Every email ends with exactly one outcome. */

export interface TakingDeps {
  db: Db
  vault: Vault
  storages: Storages
  log: Log
}

/** Delivery reports and our own emails are only logged. */
const loggedOnly = ['loop', 'bounce', 'delay', 'delivered', 'receipt', 'complaint'] as const

/** The outcome of an email that does not become a message; null if it does. */
function resultWithout({ class: kind, evidence, writer, choice, isDecided }: Judged): MailResult | null {
  if (isDecided) return writer.contact ? null : { state: 'parked', outcome: 'no_sender' }
  if (kind === 'backscatter') return { state: 'parked', outcome: 'backscatter', reason: evidence }
  const logged = loggedOnly.find(one => one === kind)
  if (logged) return { state: 'done', outcome: logged, reason: evidence }
  if (!writer.contact) return { state: 'parked', outcome: 'no_sender' }
  if (choice.warnings.includes('operator_unverified'))
    return { state: 'parked', outcome: 'operator_unverified' }
  return null
}

interface Work {
  deps: TakingDeps
  reader: MailReader
  claimed: ClaimedMail
  mail: Mail
  /** The folder for temporary files. */
  folder: string
  signal: AbortSignal
}

/** The email to show: the attached one if an operator forwarded it as an attachment. */
async function innerMail({ mail, reader, folder, signal }: Work, { forwarded }: Judged): Promise<Mail> {
  const file = mail.attached && mail.files.find(({ contentType }) => contentType === 'message/rfc822')
  if (!forwarded || !file) return mail
  const inner = await reader.read(file.path, folder, signal)
  return { ...inner, files: [...inner.files, ...mail.files.filter(one => one !== file)] }
}

/** A calendar invitation becomes a line above the text and a file. */
const withInvitation = ({ invitation, text }: Mail): string =>
  invitation && !text.includes(invitation.summary) ? `${invitation.summary}\n\n${text}`.trim() : text

async function fold({ deps: { db }, claimed, mail }: Work, shown: Mail, judged: Judged, facts: ProjectFacts) {
  const { target } = judged.choice
  const ticketId = target.kind === 'ticket' ? target.id : target.kind === 'follow_up' ? target.of : null
  const text = withInvitation(shown)
  if (judged.forwarded && shown === mail)
    return { ...unfolded, visibleText: judged.forwarded.text, visibleHtml: judged.forwarded.html }
  if (!ticketId) return { ...unfolded, visibleText: text, visibleHtml: shown.html }
  return foldQuotes({ text, html: shown.html }, await findEarlier(db, claimed.project_id, ticketId, facts))
}

const unfolded = { quotedText: '', quotedHtml: null }

async function storeFiles(
  { deps, claimed }: Work,
  files: Pick<MailFile, 'path' | 'filename' | 'contentType'>[],
) {
  const owner = { db: deps.db, projectId: claimed.project_id }
  const stored: NewMedia[] = []
  for (const file of files) stored.push(await storeFile(deps, owner, file))
  return stored
}

async function prepare(work: Work, judged: Judged, facts: ProjectFacts): Promise<MailToPost> {
  const shown = await innerMail(work, judged)
  const folded = await fold(work, shown, judged, facts)
  const media = await storeFiles(work, shown.files)
  const content = toContent(folded, media)
  if (content.rest) {
    const path = await writeText(work.folder, 'message.txt', folded.visibleText)
    media.push(...(await storeFiles(work, [{ path, filename: 'message.txt', contentType: 'text/plain' }])))
  }
  const { claimed, mail } = work
  const { id: incomingId, is_partial: isPartial } = claimed
  return { incomingId, isPartial, mail, files: shown.files, judged, facts, folded, content, media }
}

class SupersededError extends Error {}

const finish = async (tx: Tx, claimed: ClaimedMail, result: MailResult): Promise<void> => {
  if (!(await finishMail(tx, claimed, result)))
    throw new SupersededError('Another process has handled this email')
}

async function post(db: Db, claimed: ClaimedMail, summary: MailSummary, ready: MailToPost): Promise<void> {
  try {
    await transact(db, claimed.project_id, async tx => {
      const copy = ready.judged.isDecided ? null : await findHandledCopy(tx, claimed, summary)
      if (copy)
        return finish(tx, claimed, {
          ...summary,
          state: 'duplicate',
          outcome: 'duplicate',
          duplicate_of_id: copy,
        })
      const { reason, ticketId, messageId } = await postMail(tx, ready)
      const { class: kind, evidence } = ready.judged
      const known = { ...summary, ticket_id: ticketId, message_id: messageId }
      return finish(tx, claimed, { ...known, state: 'done', outcome: reason, reason: evidence || kind })
    })
  } catch (error) {
    if (!(error instanceof ContactBlocked)) throw error
    await finishMail(db, claimed, { ...summary, state: 'done', outcome: 'contact_blocked' })
  }
}

const isUnmatchedReply = ({ headers }: Mail, { choice }: Judged): boolean =>
  choice.target.kind === 'new' && headers.inReplyTo.length + headers.references.length > 0

async function take(work: Work, key: Buffer): Promise<void> {
  const { claimed, mail } = work
  const { db } = work.deps
  const facts = await findProjectFacts(db, claimed)
  const summary = summaryOf(mail)
  if (!facts) {
    await finishMail(db, claimed, { ...summary, state: 'parked', outcome: 'mailbox_removed' })
    return
  }
  const judged = followDecision(await judgeMail({ sql: db, key }, claimed, mail, facts), claimed.decision)
  // The email that it answers may be among those that are being handled.
  if (!judged.isDecided && isUnmatchedReply(mail, judged) && (await hasOlderInProgress(db, claimed)))
    return updateMailWaiting(db, claimed)
  const result = resultWithout(judged)
  if (result) await finishMail(db, claimed, { ...summary, ...result })
  else await post(db, claimed, summary, await prepare(work, judged, facts))
}

/** Handles stored emails until closed. */
export function createMailTaker(deps: TakingDeps): { take: OnMail; close(): Promise<void> } {
  const key = deps.vault.derive('mail')
  const reader = makeMailReader()
  const closing = new AbortController()
  const reading = { storages: deps.storages, reader, signal: closing.signal }
  return {
    take: claimed =>
      withMail(reading, claimed, (mail, folder) =>
        take({ deps, reader, claimed, mail, folder, signal: closing.signal }, key),
      ).catch(error => {
        if (!(error instanceof SupersededError)) throw error
      }),
    async close() {
      closing.abort()
      await reader.close()
    },
  }
}
