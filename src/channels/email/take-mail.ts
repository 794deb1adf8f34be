import { createHash } from 'node:crypto'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import type { Mail, MailFile } from '../../mail/mail.ts'
import { foldQuotes } from '../../mail/quotes.ts'
import { type MailReader, makeMailReader } from '../../mail/read.ts'
import { type NewMedia, type Storages, storeFile } from '../../media/media.ts'
import { findEarlier } from './earlier.ts'
import { finishMail, type OnMail } from './handle.ts'
import type { ClaimedMail, MailResult } from './incoming-queries.ts'
import { type Judged, judgeMail } from './judge-mail.ts'
import { toContent } from './mail-content.ts'
import { readTimeoutMs, withMail, writeText } from './mail-source.ts'
import { ContactBlocked, type MailToPost, postMail } from './post-mail.ts'
import { findProjectFacts, type ProjectFacts } from './project-facts.ts'

/** Turns stored emails into messages. Every email ends with exactly one outcome. */

export interface TakingDeps {
  db: Db
  vault: Vault
  storages: Storages
  log: Log
}

/** Emails with the same fingerprint are duplicates. It excludes headers that change with each delivery. */
function fingerprintOf({ headers, text, files }: Mail): string {
  const content = [
    headers.from?.address,
    headers.date,
    headers.subject,
    text,
    ...files.map(file => file.sha256),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

const summaryOf = (mail: Mail) => ({
  header_id: mail.headers.messageId?.slice(0, 998) ?? null,
  fingerprint: fingerprintOf(mail),
  sender: mail.headers.from?.address.slice(0, 320) ?? null,
  subject: mail.headers.subject.slice(0, 998),
})

type Summary = ReturnType<typeof summaryOf>

/** Whether this email has been handled before. A lock serialises processes that handle copies concurrently. */
async function isDuplicate(
  tx: Tx,
  { id }: ClaimedMail,
  { header_id, fingerprint }: Summary,
): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`mail ${tx.projectId} ${fingerprint}`}, 0))`
  const { count } = await tx`
    select from incoming_mails where project_id = ${tx.projectId} and fingerprint = ${fingerprint} and id <> ${id}
      and state = 'done' and header_id is not distinct from ${header_id}
      and (${header_id}::text is not null or created_at > now() - interval '7 days') limit 1`
  return count > 0
}

/** Delivery reports and our own emails are only logged. */
const loggedOnly: Judged['class'][] = [
  'loop',
  'bounce',
  'delay',
  'delivered',
  'receipt',
  'complaint',
  'backscatter',
]

/** The outcome of an email that does not become a message; null if it does. */
function resultWithout({ class: kind, evidence, writer, choice }: Judged): MailResult | null {
  if (kind === 'backscatter') return { state: 'parked', outcome: 'backscatter', reason: evidence }
  if (loggedOnly.includes(kind)) return { state: 'done', outcome: kind, reason: evidence }
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
}

/** The email to show: the attached one if an operator forwarded it as an attachment. */
async function innerMail({ mail, reader, folder }: Work, { forwarded }: Judged): Promise<Mail> {
  const file = mail.attached && mail.files.find(({ contentType }) => contentType === 'message/rfc822')
  if (!forwarded || !file) return mail
  return reader.read(file.path, folder, AbortSignal.timeout(readTimeoutMs))
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
  return { incomingId: claimed.id, mail, files: shown.files, judged, facts, folded, content, media }
}

class SupersededError extends Error {}

const finish = async (tx: Tx, claimed: ClaimedMail, result: MailResult): Promise<void> => {
  if (!(await finishMail(tx, claimed, result)))
    throw new SupersededError('Another process has handled this email')
}

async function post(db: Db, claimed: ClaimedMail, summary: Summary, ready: MailToPost): Promise<void> {
  try {
    await transact(db, claimed.project_id, async tx => {
      if (await isDuplicate(tx, claimed, summary))
        return finish(tx, claimed, { ...summary, state: 'duplicate', outcome: 'duplicate' })
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

async function take(work: Work, key: Buffer): Promise<void> {
  const { claimed, mail } = work
  const { db } = work.deps
  const facts = await findProjectFacts(db, claimed.project_id, claimed.mailbox_id)
  const summary = summaryOf(mail)
  if (!facts) {
    await finishMail(db, claimed, { ...summary, state: 'parked', outcome: 'mailbox_removed' })
    return
  }
  const judged = await judgeMail({ sql: db, key }, claimed, mail, facts)
  const result = resultWithout(judged)
  if (result) await finishMail(db, claimed, { ...summary, ...result })
  else await post(db, claimed, summary, await prepare(work, judged, facts))
}

/** Handles stored emails until closed. */
export function createMailTaker(deps: TakingDeps): { take: OnMail; close(): Promise<void> } {
  const key = deps.vault.derive('mail')
  const reader = makeMailReader()
  const reading = { storages: deps.storages, reader }
  return {
    take: claimed =>
      withMail(reading, claimed, (mail, folder) => take({ deps, reader, claimed, mail, folder }, key)).catch(
        error => {
          if (!(error instanceof SupersededError)) throw error
        },
      ),
    close: () => reader.close(),
  }
}
