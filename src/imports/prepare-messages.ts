import { mailLimits } from '../mail/limits.ts'
import { isNestedDeeper } from '../mail/nesting.ts'
import { sanitizeMail } from '../mail/sanitize.ts'
import { indexedMessages, plainText, renderContent } from '../messages/messages.ts'
import { cleanItem, findProblem, readPastTime } from './check-items.ts'
import { type ImportedMessage, type ImportWarning, importedMessage } from './schema.ts'

/** Checks and converts imported messages before their transaction begins, because long texts take time. */

export interface PreparedMessage {
  item: ImportedMessage
  problem: string | null
  warnings: ImportWarning[]
  created_at: string
  updated_at: string
  edited_at: string | null
  deleted_at: string | null
  delivery_updated_at: string
  html: string | null
  search: string
}

const shownFile = /^\/api\/v1\/media\/([\da-f-]{36})$/

/** Sanitises HTML like that of an email. Images can be files of the message. Remote images are not loaded. Null if it is nested too deeply. */
export function cleanImportedHtml(html: string, mediaIds: string[]): string | null {
  if (isNestedDeeper(html, mailLimits.nesting)) return null
  const indexOf = (address: string) => {
    const at = mediaIds.indexOf(shownFile.exec(address)?.[1] ?? '')
    return at < 0 ? null : at
  }
  return sanitizeMail(html.replaceAll(/(<img\b[^<>]*? )data-src="/g, '$1src="'), indexOf).replaceAll(
    /(<img\b[^<>]*? )data-file="(\d+)"/g,
    (_tag, before, at) => `${before}src="/api/v1/media/${mediaIds[Number(at)]}"`,
  )
}

function htmlOf(
  { content, content_format = 'text', content_html, media_ids = [] }: ImportedMessage,
  warnings: ImportWarning[],
): string | null {
  const html = content_html ? cleanImportedHtml(content_html, media_ids) : null
  if (html !== null) return html
  if (content_html) warnings.push({ field: 'content_html', value: null, reason: 'nested_too_deeply' })
  return content_format === 'text' ? null : renderContent(content, content_format)
}

const isEmpty = ({ content, media_ids = [], email, system, deleted_at, author }: ImportedMessage): boolean =>
  content.trim() === '' && !media_ids.length && !email && !system && !deleted_at && author.type !== 'system'

const latest = (...times: (string | null)[]): string =>
  times
    .filter(time => time !== null)
    .sort()
    .at(-1)!

export function prepareMessage(sent: ImportedMessage): PreparedMessage {
  const item = cleanItem(sent)
  const problem = findProblem(importedMessage, item) ?? (isEmpty(item) ? 'content: empty' : null)
  const warnings: ImportWarning[] = []
  const past = (field: 'created_at' | 'updated_at' | 'edited_at' | 'deleted_at') =>
    readPastTime(item[field], field, warnings)
  // The time of an item with a problem is not used.
  const created_at = past('created_at') ?? ''
  const [edited_at, deleted_at] = [past('edited_at'), past('deleted_at')]
  const { content, content_format = 'text' } = item
  return {
    item,
    problem,
    warnings,
    created_at,
    edited_at,
    deleted_at,
    updated_at: past('updated_at') ?? latest(created_at, edited_at, deleted_at),
    delivery_updated_at:
      readPastTime(item.delivery?.updated_at, 'delivery.updated_at', warnings) ?? created_at,
    html: problem ? null : htmlOf(item, warnings),
    search: problem ? '' : indexedMessages.printIndex({ content, content_format }),
  }
}

export const messageTexts = ({ item, problem }: PreparedMessage, language: string | null) =>
  problem ? [] : [{ text: plainText(item.content, item.content_format ?? 'text'), language }]
