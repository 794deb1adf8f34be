import type { Sql } from '../core/db/db.ts'
import { printVector } from '../core/words/vector.ts'
import type { Gathered, Indexed } from '../words/words.ts'
import { addressesOf, type Format, plainText } from './render.ts'

/** The searchable text of a message: what people read, and the URLs of its links. */

export interface SearchedMessage {
  content: string
  content_format: Format
}

/** Positions refer to `plainText`, like the highlights of a message. */
export const printMessageIndex = ({ content, content_format }: SearchedMessage): string =>
  printVector({ text: plainText(content, content_format) }, { text: addressesOf(content, content_format) })

export const indexedMessages: Indexed<SearchedMessage> = {
  table: 'messages',
  columns: ['content', 'content_format'],
  printIndex: printMessageIndex,
}

export const gatheredMessages: Gathered<SearchedMessage & { language: string | null }> = {
  name: 'messages',
  rows: (sql, projectId) =>
    sql`messages m join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
      join contacts c on c.project_id = ${projectId} and c.id = t.contact_id where m.project_id = ${projectId}`,
  id: 'm.id',
  changedAt: (sql: Sql) => sql`coalesce(m.updated_at, m.created_at)`,
  columns: sql =>
    sql`jsonb_build_object('content', m.content, 'content_format', m.content_format,
      'language', coalesce(t.language, c.language))`,
  read: ({ content, content_format, language }) => [{ text: plainText(content, content_format), language }],
}
