import { createHash } from 'node:crypto'
import type { Vault } from '../../core/crypto.ts'
import type { Db } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import type { Mail } from '../../mail/mail.ts'
import { type Folded, foldQuotes } from '../../mail/quotes.ts'
import { type NewMedia, type Storages, storeFile } from '../../media/media.ts'
import { findEarlier } from './earlier.ts'
import { finishMail, type OnMail } from './handle.ts'
import type { ClaimedMail, MailResult } from './incoming-queries.ts'
import { type Judged, judgeMail } from './judge-mail.ts'
import { toContent } from './mail-content.ts'
import { withMail, writeText } from './mail-source.ts'
import { ContactBlocked, type MailToPost, postMail } from './post-mail.ts'
import { addressesOf, findProjectFacts, type ProjectFacts } from './project-facts.ts'

/** Reads stored mails and makes messages of them. Every mail ends with one outcome. */

export interface TakingDeps {
  db: Db
  vault: Vault
  storages: Storages
  log: Log
}

/** Two mails with the same fingerprint say the same. Headers that each delivery changes do not count. */
function fingerprintOf({ headers, text, files }: Mail): string {
  const said = [headers.from?.address, headers.date, headers.subject, text, ...files.map(file => file.sha256)]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

const summaryOf = (mail: Mail) => ({
  header_id: mail.headers.messageId?.slice(0, 998) ?? null,
  fingerprint: fingerprintOf(mail),
  sender: mail.headers.from?.address.slice(0, 320) ?? null,
  subject: mail.headers.subject.slice(0, 998),
})

type Summary = ReturnType<typeof summaryOf>

/** Whether this mail has been handled before. Two processes that handle it at the same time do so one after the other. */
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

/** Mails of programs about the delivery of others, and mails of ourselves, are only logged. */
const loggedOnly: Judged['class'][] = [
  'loop',
  'bounce',
  'delay',
  'delivered',
  'receipt',
  'complaint',
  'backscatter',
]

/** The outcome of a mail that becomes no message; null if it becomes one. */
function resultWithout({ class: kind, evidence, writer, choice }: Judged): MailResult | null {
  if (kind === 'backscatter') return { state: 'parked', outcome: 'backscatter', reason: evidence }
  if (loggedOnly.includes(kind)) return { state: 'done', outcome: kind, reason: evidence }
  if (!writer.contact) return { state: 'parked', outcome: 'no_sender', reason: 'The mail names no sender' }
  if (choice.warnings.includes('operator_unverified'))
    return {
      state: 'parked',
      outcome: 'operator_unverified',
      reason: 'The sender is an operator, but the mail server did not confirm it (DMARC)',
    }
  return null
}

async function fold(
  db: Db,
  projectId: string,
  mail: Mail,
  judged: Judged,
  facts: ProjectFacts,
): Promise<Folded> {
  const { target } = judged.choice
  const shown = judged.forwarded ?? mail
  const ticketId = target.kind === 'ticket' ? target.id : target.kind === 'follow_up' ? target.of : null
  if (!ticketId) return { visibleText: shown.text, quotedText: '', visibleHtml: shown.html, quotedHtml: null }
  const own = [...addressesOf(facts.mailbox), judged.writer.contact!.address]
  return foldQuotes(mail, await findEarlier(db, projectId, ticketId, own))
}

async function storeFiles(deps: TakingDeps, projectId: string, mail: Mail): Promise<NewMedia[]> {
  const stored: NewMedia[] = []
  for (const { path, filename } of mail.files)
    stored.push(await storeFile(deps, { db: deps.db, projectId }, { path, filename }))
  return stored
}

async function prepare(
  deps: TakingDeps,
  claimed: ClaimedMail,
  mail: Mail,
  folder: string,
  judged: Judged,
  facts: ProjectFacts,
): Promise<MailToPost> {
  const { project_id: projectId } = claimed
  const folded = await fold(deps.db, projectId, mail, judged, facts)
  const media = await storeFiles(deps, projectId, mail)
  const content = toContent(folded, media)
  if (content.rest) {
    const path = await writeText(folder, 'message.txt', folded.visibleText)
    media.push(await storeFile(deps, { db: deps.db, projectId }, { path, filename: 'message.txt' }))
  }
  return { incomingId: claimed.id, mail, judged, facts, folded, content, media }
}

class Superseded extends Error {}

const finish = async (tx: Tx, claimed: ClaimedMail, result: MailResult): Promise<void> => {
  if (!(await finishMail(tx, claimed, result))) throw new Superseded('Another process has handled this mail')
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
    const reason = 'The contact is blocked'
    await finishMail(db, claimed, { ...summary, state: 'done', outcome: 'contact_blocked', reason })
  }
}

async function take(
  deps: TakingDeps,
  key: Buffer,
  claimed: ClaimedMail,
  mail: Mail,
  folder: string,
): Promise<void> {
  const { db } = deps
  const facts = await findProjectFacts(db, claimed.project_id, claimed.mailbox_id)
  const summary = summaryOf(mail)
  if (!facts) {
    const reason = 'The mailbox was removed'
    await finishMail(db, claimed, { ...summary, state: 'parked', outcome: 'mailbox_removed', reason })
    return
  }
  const judged = await judgeMail({ sql: db, key }, claimed, mail, facts)
  const result = resultWithout(judged)
  if (result) await finishMail(db, claimed, { ...summary, ...result })
  else await post(db, claimed, summary, await prepare(deps, claimed, mail, folder, judged, facts))
}

/** The function that handles stored mails. */
export function createMailTaker(deps: TakingDeps): OnMail {
  const key = deps.vault.derive('mail')
  return claimed =>
    withMail(deps.storages, claimed, (mail, folder) => take(deps, key, claimed, mail, folder)).catch(
      error => {
        if (!(error instanceof Superseded)) throw error
      },
    )
}
