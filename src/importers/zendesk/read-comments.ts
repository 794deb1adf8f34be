import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { importFile } from '../../imports/imports.ts'
import type { ImportedMessage } from '../../imports/schema.ts'
import { maxFileBytes } from '../../media/media.ts'
import type { ImportContext, SkippedItem } from '../importer.ts'
import { repeatWhileBusy } from '../repeat-while-busy.ts'
import { TooLargeError, type ZendeskClient } from './client.ts'
import { cut } from './map-user.ts'
import { commentPage, type ZendeskAttachment, type ZendeskComment, type ZendeskUser } from './records.ts'

/** Reads the comments of a ticket with their files. */

export interface ReadComments {
  messages: ImportedMessage[]
  skipped: SkippedItem[]
  /** The authors who are not agents. */
  users: ZendeskUser[]
}

interface ZendeskWork {
  context: ImportContext
  client: ZendeskClient
  agents: Map<number, ZendeskUser>
}

const maxContent = 65_536
const maxHtml = 1_048_576
const maxFiles = 100

type Author = ImportedMessage['author']

/** Comments by Zendesk itself have the author -1. */
function authorOf({ author_id }: ZendeskComment, agents: Map<number, ZendeskUser>): Author {
  if (!author_id || author_id < 0) return { type: 'bot', name: 'Zendesk' }
  const agent = agents.get(author_id)
  if (!agent) return { type: 'contact', source_id: String(author_id) }
  return { type: 'operator', email: agent.email ?? null, name: cut(agent.name) }
}

/** Only https is allowed, because others could read or replace a file that is sent over http. The address of `--url` is always allowed. */
const mayDownload = (url: string, base: string): boolean =>
  URL.canParse(url, base) && (new URL(url, base).protocol === 'https:' || new URL(url, base).origin === base)

/** Thrown for a file that is not imported. The message is the reason. */
class SkippedFileError extends Error {}

async function downloadFile(client: ZendeskClient, { content_url, size }: ZendeskAttachment, path: string) {
  if (!mayDownload(content_url, client.origin)) throw new SkippedFileError('attachment_not_https')
  if ((size ?? 0) > maxFileBytes) throw new SkippedFileError('attachment_too_large')
  const isDownloaded = await client.download(content_url, path, maxFileBytes).catch(error => {
    throw error instanceof TooLargeError ? new SkippedFileError('attachment_too_large') : error
  })
  if (!isDownloaded) throw new SkippedFileError('attachment_gone')
}

/** Downloads the whole file first, because a download may be repeated. */
async function* readFile(client: ZendeskClient, file: ZendeskAttachment): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'deskbell-import-'))
  try {
    const path = join(folder, 'file')
    await downloadFile(client, file, path)
    yield* createReadStream(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the id of the stored file. A file that was stored before is not downloaded again. */
async function storeAttachment(
  { context, client }: ZendeskWork,
  file: ZendeskAttachment,
  created_at: string,
): Promise<string> {
  const { projectId, source } = context
  let failure: unknown = null
  const content = async function* () {
    try {
      yield* readFile(client, file)
    } catch (error) {
      failure = error
      throw error
    }
  }
  const { id, file_name, content_type } = file
  const described = {
    source_id: String(id),
    filename: file_name || `${id}`,
    content_type: content_type ?? null,
  }
  const stored = { projectId, source, created_at, ...described }
  const store = () => importFile(context, stored, () => Readable.from(content()))
  return repeatWhileBusy(context, store).catch(error => {
    throw failure ?? error
  })
}

interface StoredAttachment {
  id: string
  url: string
}

async function storeAttachments(work: ZendeskWork, comment: ZendeskComment, skipped: SkippedItem[]) {
  const stored: StoredAttachment[] = []
  if (work.context.dryRun) return stored
  for (const file of (comment.attachments ?? []).slice(0, maxFiles))
    try {
      stored.push({ id: await storeAttachment(work, file, comment.created_at), url: file.content_url })
    } catch (error) {
      if (!(error instanceof SkippedFileError)) throw error
      skipped.push({ kind: 'skipped', source_id: `attachment ${file.id}`, reason: error.message })
    }
  return stored
}

/** Replaces the addresses of images with those of the stored files. */
const placeImages = (html: string, stored: StoredAttachment[]): string =>
  stored.reduce(
    (text, { id, url }) => text.replaceAll(`"${url.replaceAll('&', '&amp;')}"`, `"/api/v1/media/${id}"`),
    html,
  )

async function toMessage(work: ZendeskWork, comment: ZendeskComment, skipped: SkippedItem[]) {
  const { plain_body, body, html_body, created_at } = comment
  const content = plain_body ?? body ?? ''
  if (content.length > maxContent)
    skipped.push({ kind: 'skipped', source_id: `comment ${comment.id}`, reason: 'text_shortened' })
  const stored = await storeAttachments(work, comment, skipped)
  return {
    source_id: String(comment.id),
    author: authorOf(comment, work.agents),
    content: content.slice(0, maxContent),
    content_html: html_body && html_body.length <= maxHtml ? placeImages(html_body, stored) : null,
    is_internal: comment.public === false,
    media_ids: stored.map(({ id }) => id),
    created_at,
  }
}

export async function readComments(work: ZendeskWork, ticketId: number): Promise<ReadComments | null> {
  const read: ReadComments = { messages: [], skipped: [], users: [] }
  for (let after = ''; ; ) {
    const query = new URLSearchParams({
      'page[size]': '100',
      include: 'users',
      include_inline_images: 'true',
    })
    if (after) query.set('page[after]', after)
    const page = await work.client.find(`/api/v2/tickets/${ticketId}/comments.json?${query}`, commentPage)
    if (!page) return null
    read.users.push(...(page.users ?? []))
    for (const comment of page.comments) read.messages.push(await toMessage(work, comment, read.skipped))
    if (!page.meta.has_more || !page.meta.after_cursor) return read
    after = page.meta.after_cursor
  }
}
