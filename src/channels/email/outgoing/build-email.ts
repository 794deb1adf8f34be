import type { Vault } from '../../../core/crypto.ts'
import type { Sql } from '../../../core/db/db.ts'
import { domainOf, foldEmail } from '../../../core/email.ts'
import type { OutgoingEmail } from '../../../mail/compose/outgoing-email.ts'
import { htmlOfText } from '../../../mail/html-text.ts'
import type { MailAddress } from '../../../mail/mail.ts'
import { makeAnchor } from '../../../mail/tokens.ts'
import type { StoredEmail } from '../../../messages/schema.ts'
import { findSigningKey } from '../dkim/dkim-keys.ts'
import { findMailIds } from '../incoming/mail-queries.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { findForward } from './build-forward.ts'
import {
  findMessageFacts,
  listEarlier,
  listFiles,
  listHeaderFields,
  listSentWith,
  type MessageFacts,
} from './build-queries.ts'
import { joinContents, plainOf } from './email-content.ts'
import { divideFiles, type EmailFileDeps, toFile, toLink } from './email-files.ts'
import { listRecipientRows } from './outgoing-queries.ts'
import { writeTranscript } from './transcript-content.ts'

/** Collects what an email is built from. */

export interface BuildDeps extends EmailFileDeps {
  /** Signs Message-IDs. */
  key: Buffer
  vault: Vault
}

/** How much of the earlier messages is read at most for an email. Far less is quoted: see `limitHistory`. */
const maxHistory = { limit: 50, maxBytes: 512 * 1024 }

const withoutBrackets = (id: string): string => id.trim().replace(/^<|>$/g, '')

interface Answered {
  references: string[]
  threadIndex: string | null
}

/** The threading headers of the email that is answered. */
async function findAnswered(sql: Sql, projectId: string, inReplyTo: string | null): Promise<Answered> {
  if (inReplyTo === null) return { references: [], threadIndex: null }
  const [found] = await findMailIds(sql, projectId, [inReplyTo])
  const fields = found ? await listHeaderFields(sql, projectId, found.message_id) : []
  const fieldOf = (name: string): string | null =>
    fields.find(field => field.name.toLowerCase() === name)?.value ?? null
  const references = (fieldOf('references') ?? '').match(/<[^<>\s]+>/g) ?? []
  return { references: references.map(withoutBrackets), threadIndex: fieldOf('thread-index') }
}

async function listHistory(
  sql: Sql,
  projectId: string,
  facts: MessageFacts,
  history: FetchedMailbox['history'],
) {
  if (history === 'none') return []
  const rows = await listEarlier(sql, projectId, facts, {
    ...maxHistory,
    ...(history === 'last' && { limit: 1 }),
  })
  return rows.map(row => ({
    author: row.sender_name ?? row.email?.from_name ?? row.email?.from ?? '',
    at: new Date(`${row.created_at}Z`),
    language: facts.language,
    text: plainOf(row),
    html: row.content_html,
  }))
}

const automaticKinds: Record<string, 'replied' | 'generated'> = {
  auto_reply: 'replied',
  automated: 'generated',
}

/** Whether an email was not written by a person. */
export const automaticOf = ({ class: kind }: Pick<StoredEmail, 'class'>): OutgoingEmail['automatic'] => {
  const automatic = automaticKinds[kind]
  return automatic ? { kind: automatic } : null
}

async function findNames(
  sql: Sql,
  projectId: string,
  messageId: string,
): Promise<Map<string, string | null>> {
  const rows = await listRecipientRows(sql, projectId, messageId)
  return new Map(rows.map(({ address, name }) => [address, name]))
}

function headersOf(
  deps: BuildDeps,
  mailbox: FetchedMailbox,
  { id, email, ticket_id, ...facts }: MessageFacts,
  names: Map<string, string | null>,
) {
  const toAddress = (address: string): MailAddress => ({
    address,
    name: names.get(foldEmail(address)) ?? null,
  })
  const domain = domainOf(mailbox.address)
  const [replyTo] = email.reply_to
  const isForward = email.forwarded !== undefined
  return {
    messageId: withoutBrackets(email.message_id ?? ''),
    date: new Date(`${facts.created_at}Z`),
    from: { address: email.from ?? mailbox.address, name: email.from_name },
    replyTo: replyTo ? { address: replyTo, name: mailbox.name || null } : null,
    to: email.to.map(toAddress),
    cc: email.cc.map(toAddress),
    subject: email.subject,
    // A reply to a forward must lead to the note, and not to the conversation with the contact.
    anchor: makeAnchor(deps.key, isForward ? id : ticket_id, domain),
    threadTopic: isForward ? email.subject : (facts.ticket_subject ?? email.subject),
    automatic: automaticOf(email),
  }
}

/** A transcript has no attachments: its content contains links to the files. */
async function findContent(deps: BuildDeps, sql: Sql, mailbox: FetchedMailbox, facts: MessageFacts) {
  const { project_id: projectId } = mailbox
  const { email, signature } = facts
  if (facts.system?.kind === 'transcript_sent') {
    const content = await writeTranscript(sql, projectId, facts, file => toLink(deps, file))
    return { content, signature: null, history: [], forwarded: null, files: [], links: [] }
  }
  const others = await listSentWith(sql, projectId, facts.id)
  const own = await listFiles(sql, projectId, [...others.map(({ id }) => id), facts.id])
  const forward = await findForward(sql, projectId, email)
  const { attached, linked } = divideFiles([...own, ...(forward?.files ?? [])])
  return {
    content: joinContents([...others, facts]),
    signature: signature ? { text: signature, html: htmlOfText(signature) } : null,
    // An automatic email quotes nothing. Otherwise, anyone could make us send a text of their choice to an address that they have forged.
    history: await listHistory(
      sql,
      projectId,
      facts,
      forward || automaticOf(email) ? 'none' : mailbox.history,
    ),
    forwarded: forward?.message ?? null,
    files: attached.map(file => toFile(deps, file)),
    links: [...linked].map(file => toLink(deps, file)),
  }
}

/** Null if the message no longer exists. */
export async function describeEmail(
  deps: BuildDeps,
  sql: Sql,
  mailbox: FetchedMailbox,
  messageId: string,
): Promise<OutgoingEmail | null> {
  const { project_id: projectId } = mailbox
  const facts = await findMessageFacts(sql, projectId, messageId, mailbox.id)
  if (!facts) return null
  const { email, color, language } = facts
  const inReplyTo = email.in_reply_to === null ? null : withoutBrackets(email.in_reply_to)
  return {
    ...headersOf(deps, mailbox, facts, await findNames(sql, projectId, messageId)),
    ...(await findAnswered(sql, projectId, inReplyTo)),
    ...(await findContent(deps, sql, mailbox, facts)),
    inReplyTo,
    ...{ color, language, listUnsubscribe: null },
    dkim: await findSigningKey(sql, deps.vault, mailbox),
  }
}
