import type { Sql } from '../../../core/db/db.ts'
import { escapeHtml } from '../../../core/text/markdown.ts'
import { fillPlaceholders, type LocalTexts } from '../../../core/text/texts.ts'
import { describeLink, oneLine, timeIn } from '../../../mail/compose/mail-lines.ts'
import type { OutgoingLink } from '../../../mail/compose/outgoing-email.ts'
import type { ComposeTexts } from '../../../mail/compose/texts/shape.ts'
import { composeTextsOf } from '../../../mail/compose/texts/texts.ts'
import { htmlOfText } from '../../../mail/html-text.ts'
import {
  type EarlierMessage,
  type FileFacts,
  listEarlier,
  listFiles,
  type MessageFacts,
} from './build-queries.ts'
import { htmlOf, plainOf } from './email-content.ts'

/** Writes a copy of a conversation, with links to its files. */

/** If there are more, only the newest messages are included. */
const maxMessages = 1_000
const maxLength = 2 * 1024 * 1024

/** A character has at most 4 bytes, so that `maxLength` and not this limit decides what is kept. */
const maxBytes = 4 * maxLength

interface Block {
  text: string
  html: string
}

const authorOf = (
  { sender_name, email }: EarlierMessage,
  { email: { to }, project_name }: MessageFacts,
): string => oneLine(sender_name ?? email?.from_name ?? to[0] ?? project_name)

const linkBlock = (link: OutgoingLink, texts: LocalTexts<ComposeTexts>): Block => {
  const label = describeLink(link, texts)
  return {
    text: `${label}\n${link.url}`,
    html: `<p><a href="${escapeHtml(link.url)}">${escapeHtml(label)}</a></p>`,
  }
}

function messageBlock(message: EarlierMessage, author: string, links: Block[], locale: string): Block {
  const time = timeIn(locale, new Date(`${message.created_at}Z`))
  const content = htmlOf(message) ?? htmlOfText(message.content)
  return {
    text: [`${author}, ${time}:`, plainOf(message), ...links.map(({ text }) => text)]
      .filter(Boolean)
      .join('\n'),
    html: `<p style="margin:24px 0 4px"><b>${escapeHtml(author)}</b>, ${escapeHtml(time)}</p>\n${[content, ...links.map(({ html }) => html)].join('\n')}`,
  }
}

/** Returns the newest blocks that fit, oldest first, after an ellipsis if others were left out. */
function limitBlocks(newestFirst: Block[], isCut: boolean): Block[] {
  const kept: Block[] = []
  let left = maxLength
  for (const block of newestFirst) {
    left -= block.text.length + block.html.length
    if (left < 0 && kept.length > 0) break
    kept.unshift(block)
  }
  return isCut || kept.length < newestFirst.length ? [{ text: '…', html: '<p>…</p>' }, ...kept] : kept
}

/** Contains everything that the contact may read, up to the message that records the sending. */
export async function writeTranscript(
  sql: Sql,
  projectId: string,
  facts: MessageFacts,
  toLink: (file: FileFacts) => OutgoingLink,
): Promise<Block> {
  const local = composeTextsOf(facts.language)
  const messages = await listEarlier(sql, projectId, facts, { limit: maxMessages, maxBytes })
  const files = await listFiles(
    sql,
    projectId,
    messages.map(({ id }) => id),
  )
  const blocks = messages.map(message => {
    const own = files.filter(({ message_id }) => message_id === message.id)
    const links = own.map(file => linkBlock(toLink(file), local))
    return messageBlock(message, authorOf(message, facts), links, local.locale)
  })
  const intro = fillPlaceholders(local.texts.transcript, { project: facts.project_name })
  const all = [
    { text: intro, html: htmlOfText(intro) },
    ...limitBlocks(blocks, messages.length === maxMessages),
  ]
  return {
    text: all.map(({ text }) => text).join('\n\n'),
    html: all.map(({ html }) => html).join('\n'),
  }
}
