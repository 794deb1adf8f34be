import type { Sql } from '../../../core/db.ts'
import { foldEmail } from '../../../core/email.ts'
import type { OutgoingEmail, OutgoingFile, OutgoingLink } from '../../../mail/compose/outgoing-email.ts'
import { htmlOfText, textOfHtml } from '../../../mail/html-text.ts'
import type { MailAddress } from '../../../mail/mail.ts'
import { makeAnchor } from '../../../mail/tokens.ts'
import { type Storages, signedQuery } from '../../../media/media.ts'
import { renderContent } from '../../../messages/messages.ts'
import type { StoredEmail } from '../../../messages/schema.ts'
import { findMailIds } from '../incoming/mail-queries.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import {
  type EarlierMessage,
  type FileFacts,
  findMessageFacts,
  listEarlier,
  listFiles,
  listHeaderFields,
  type MessageFacts,
} from './build-queries.ts'
import { listRecipientRows } from './outgoing-queries.ts'

/** Collects what an email is built from. */

export interface BuildDeps {
  storages: Storages
  publicUrl: string
  /** Signs Message-IDs. */
  key: Buffer
}

/** Larger files become links. Base64 makes a file a third larger, and many servers refuse more than 25 MB. */
const maxBytes = 25 * 1024 * 1024
const encoded = (size: number): number => Math.ceil((size * 4) / 3)

const linkSeconds = 30 * 86_400

/** The maximum number of earlier messages that are read for an email. */
const maxHistory = 50

type Content = Pick<EarlierMessage, 'content' | 'content_html' | 'content_format'>

const htmlOf = ({ content, content_html, content_format }: Content): string =>
  content_html ?? renderContent(content, content_format)

const textOf = (message: Content): string =>
  message.content_format === 'html' && message.content_html === null
    ? textOfHtml(htmlOf(message))
    : message.content

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
  const rows = await listEarlier(sql, projectId, facts, history === 'last' ? 1 : maxHistory)
  return rows.map(row => ({
    author: row.sender_name ?? row.email?.from_name ?? row.email?.from ?? '',
    at: new Date(`${row.created_at}Z`),
    language: facts.language,
    text: textOf(row),
    html: row.content_html,
  }))
}

function toFile({ storages }: BuildDeps, file: FileFacts): OutgoingFile {
  const { id, filename, content_type, size, bucket_id, storage_key } = file
  return {
    ...{ name: filename, type: content_type, size, contentId: id },
    async open() {
      const place = await storages.find(bucket_id)
      const content = await place?.storage.read(storage_key)
      if (!content) throw new Error(`The file ${filename} is missing`)
      return content
    },
  }
}

function toLink({ publicUrl }: BuildDeps, { id, filename, size }: FileFacts): OutgoingLink {
  const now = Date.now()
  const url = `${publicUrl.replace(/\/$/, '')}/api/media/${id}${signedQuery(id, now, linkSeconds)}`
  return { name: filename, size, url, expiresAt: new Date(now + linkSeconds * 1_000) }
}

/** Attaches the files, except the largest ones if they are too large together. */
function divideFiles(files: FileFacts[]): { attached: FileFacts[]; linked: Set<FileFacts> } {
  const linked = new Set<FileFacts>()
  let total = files.reduce((sum, { size }) => sum + encoded(size), 0)
  for (const file of files.toSorted((one, other) => other.size - one.size)) {
    if (total <= maxBytes) break
    linked.add(file)
    total -= encoded(file.size)
  }
  return { attached: files.filter(file => !linked.has(file)), linked }
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
  { email, ticket_id, ...facts }: MessageFacts,
  names: Map<string, string | null>,
) {
  const toAddress = (address: string): MailAddress => ({
    address,
    name: names.get(foldEmail(address)) ?? null,
  })
  const domain = mailbox.address.split('@').at(-1)!
  const [replyTo] = email.reply_to
  return {
    messageId: withoutBrackets(email.message_id ?? ''),
    date: new Date(`${facts.created_at}Z`),
    from: { address: email.from ?? mailbox.address, name: email.from_name },
    replyTo: replyTo ? { address: replyTo, name: mailbox.name || null } : null,
    to: email.to.map(toAddress),
    cc: email.cc.map(toAddress),
    subject: email.subject,
    anchor: makeAnchor(deps.key, ticket_id, domain),
    threadTopic: facts.ticket_subject ?? email.subject,
    automatic: automaticOf(email),
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
  const { email, signature, color, language } = facts
  const inReplyTo = email.in_reply_to === null ? null : withoutBrackets(email.in_reply_to)
  const { attached, linked } = divideFiles([...(await listFiles(sql, projectId, messageId))])
  return {
    ...headersOf(deps, mailbox, facts, await findNames(sql, projectId, messageId)),
    ...(await findAnswered(sql, projectId, inReplyTo)),
    inReplyTo,
    content: {
      text: textOf(facts),
      html: facts.content_format === 'text' ? facts.content_html : htmlOf(facts),
    },
    signature: signature ? { text: signature, html: htmlOfText(signature) } : null,
    history: await listHistory(sql, projectId, facts, mailbox.history),
    files: attached.map(file => toFile(deps, file)),
    links: [...linked].map(file => toLink(deps, file)),
    ...{ color, language, listUnsubscribe: null, dkim: null },
  }
}
